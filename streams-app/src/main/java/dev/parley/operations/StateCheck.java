package dev.parley.operations;

import dev.parley.config.ParleyConfig;
import dev.parley.operations.Deployment.Part;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Whether local state can be kept: the directory, its disk, and who else has it. */
final class StateCheck {
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "overlay", "aufs");
    private static final List<String> NETWORK =
            List.of("nfs", "cifs", "smb", "9p", "afs", "ceph", "glusterfs", "fuse.");

    private final Path directory;
    private final long leastBytes;
    private final List<Part> parts;
    private final List<Finding> findings;

    StateCheck(ParleyConfig config, Deployment deployment, List<Finding> findings) {
        this.directory = deployment.stateDirectory().toAbsolutePath().normalize();
        this.leastBytes = config.getLong(ParleyConfig.STATE_FREE_BYTES);
        this.parts = deployment.partsOf(config);
        this.findings = findings;
    }

    void look() {
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
            findings.add(new Finding(
                    Check.NOT_CHECKED,
                    subject(),
                    "Its disk tells nothing: " + e + ".",
                    "Look at the free space by hand."));
        }
        for (Part part : parts) {
            if (LocalState.of(directory, part.applicationId()).isLocked()) {
                findings.add(new Finding(
                        Check.STATE_LOCKED,
                        subject(),
                        "Another process runs " + part.applicationId() + " on it.",
                        "Stop that process, or give this one a state.dir of its own."));
            }
        }
    }

    /** What is to be said of a file system of that type with that much room. */
    void disk(String type, long usableBytes) {
        String kind = type.toLowerCase(Locale.ROOT);
        if (usableBytes < leastBytes) {
            findings.add(new Finding(
                    Check.DISK_LOW,
                    subject(),
                    "Its disk has " + usableBytes + " bytes left; " + ParleyConfig.STATE_FREE_BYTES + " wants "
                            + leastBytes + ".",
                    "Make room, put state.dir on a larger disk, or lower that setting."));
        }
        if (IN_MEMORY.contains(kind)) {
            findings.add(
                    new Finding(
                            Check.STATE_VOLATILE,
                            subject(),
                            "It is on " + type + ", which a restart of the machine or container empties.",
                            "Put state.dir on a disk or volume of its own; otherwise every restart reads everything from Kafka."));
        } else if (directory.startsWith(Path.of(System.getProperty("java.io.tmpdir")))) {
            findings.add(new Finding(
                    Check.STATE_VOLATILE,
                    subject(),
                    "It is in the directory for temporary files, which is emptied from time to time.",
                    "Put state.dir elsewhere."));
        }
        if (NETWORK.stream().anyMatch(kind::startsWith)) {
            findings.add(new Finding(
                    Check.STATE_REMOTE,
                    subject(),
                    "It is on " + type + ", a network file system: slow for RocksDB, and its locks may not hold.",
                    "Put state.dir on a local disk; all of it can be restored from Kafka."));
        }
    }

    /** Tries, because permissions alone do not tell: the disk may be mounted read-only. */
    private boolean isWritable(Path existing) {
        try {
            Files.delete(Files.createTempFile(existing, "parley-", ".probe"));
            return true;
        } catch (IOException e) {
            findings.add(new Finding(
                    Check.STATE_UNWRITABLE,
                    subject(),
                    "Nothing can be written in " + existing + ": " + e + ".",
                    "Mend its permissions, or set state.dir to another directory."));
            return false;
        }
    }

    private String subject() {
        return "state.dir " + directory;
    }
}
