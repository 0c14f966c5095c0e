package dev.parley.server.operations;

import dev.parley.logging.FileErrors;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.deployment.Deployment.StreamsApplication;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks the state directory: permissions, disk, and other processes that use it. */
final class StateCheck {
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "overlay", "aufs");
    private static final List<String> NETWORK =
            List.of("nfs", "cifs", "smb", "9p", "afs", "ceph", "glusterfs", "fuse.");

    private final Path directory;
    private final long leastBytes;
    private final List<StreamsApplication> applications;
    private final List<Finding> findings;

    StateCheck(ParleyConfig config, Deployment deployment, List<Finding> findings) {
        this.directory = deployment.stateDirectory().toAbsolutePath().normalize();
        this.leastBytes = config.getLong(ParleyConfig.STATE_FREE_BYTES);
        this.applications = deployment.applicationsOf(config);
        this.findings = findings;
    }

    void run() {
        Path existing = directory;
        while (!Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (!isWritable(existing)) {
            return;
        }
        try {
            FileStore store = Files.getFileStore(existing);
            disk(store.type(), store.getUsableSpace());
        } catch (IOException e) {
            findings.add(Check.NOT_CHECKED.finding(
                    subject(),
                    "Cannot read free disk space: " + FileErrors.reason(e) + ".",
                    "Check the free space yourself."));
        }
        for (StreamsApplication application : applications) {
            if (StateCleanup.isLocked(directory.resolve(application.applicationId()))) {
                findings.add(Check.STATE_LOCKED.finding(
                        subject(),
                        "Another process runs " + application.applicationId() + " in this directory.",
                        "Stop that process, or give this instance its own state.dir."));
            }
        }
    }

    /** Adds the findings for a file system type and its free space. */
    void disk(String type, long usableBytes) {
        String kind = type.toLowerCase(Locale.ROOT);
        if (usableBytes < leastBytes) {
            findings.add(Check.DISK_LOW.finding(
                    subject(),
                    "The disk has " + usableBytes + " bytes free; " + ParleyConfig.STATE_FREE_BYTES + " requires "
                            + leastBytes + ".",
                    "Free space, move state.dir to a larger disk, or lower that setting."));
        }
        if (IN_MEMORY.contains(kind)) {
            findings.add(Check.STATE_VOLATILE.finding(
                    subject(),
                    "The directory is on " + type + ", which a restart of the machine or container empties.",
                    "Move state.dir to its own disk or volume. Otherwise every restart restores all state "
                            + "from Kafka."));
        } else if (directory.startsWith(Path.of(System.getProperty("java.io.tmpdir")))) {
            findings.add(Check.STATE_VOLATILE.finding(
                    subject(),
                    "The system empties the directory for temporary files from time to time.",
                    "Move state.dir elsewhere."));
        }
        if (NETWORK.stream().anyMatch(kind::startsWith)) {
            findings.add(Check.STATE_REMOTE.finding(
                    subject(),
                    "The directory is on " + type + ", a network file system: slow for RocksDB, and its locks may not "
                            + "work.",
                    "Move state.dir to a local disk; Kafka Streams can restore all of it from Kafka."));
        }
    }

    /** Tries to write, because permissions are not enough: the disk may be mounted read-only. */
    private boolean isWritable(Path existing) {
        try {
            Files.delete(Files.createTempFile(existing, "parley-", ".probe"));
            return true;
        } catch (IOException e) {
            findings.add(Check.STATE_UNWRITABLE.finding(
                    subject(),
                    "Cannot write to " + existing + ": " + FileErrors.reason(e) + ".",
                    "Fix its permissions, or set state.dir to another directory."));
            return false;
        }
    }

    private String subject() {
        return "state.dir " + directory;
    }
}
