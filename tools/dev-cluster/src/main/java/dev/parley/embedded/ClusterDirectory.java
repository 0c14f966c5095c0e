package dev.parley.embedded;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Utils;

/**
 * The data directory of an embedded cluster. One process at a time can lock it; its cluster ID and number of nodes are
 * fixed.
 */
final class ClusterDirectory implements AutoCloseable {
    private static final String LOCK_FILE = "embedded-kafka.lock";
    private static final String CLUSTER_FILE = "embedded-kafka.properties";

    private final Path root;
    private final FileChannel lock;
    private final String clusterId;

    private ClusterDirectory(Path root, FileChannel lock, int nodes) throws IOException {
        this.root = root;
        this.lock = lock;
        Path file = root.resolve(CLUSTER_FILE);
        if (!Files.exists(file)) {
            create(file, nodes);
        }
        Properties cluster = new Properties();
        cluster.load(new StringReader(Files.readString(file)));
        this.clusterId = cluster.getProperty("cluster.id");
        String existing = cluster.getProperty("nodes");
        if (clusterId == null || existing == null) {
            throw new StartupException(
                    file + " is damaged; restore it from a backup, or choose another data directory.");
        }
        if (!existing.equals(Integer.toString(nodes))) {
            throw new StartupException("The data directory " + root + " was created with nodes=" + existing + ", not "
                    + nodes + "; use the same number of nodes, or choose another data directory.");
        }
    }

    /**
     * Locks a directory, and creates it if it is missing.
     *
     * @throws StartupException if another process uses it, it was created with another number of nodes, or it is not
     *     writable
     */
    static ClusterDirectory open(Path root, int nodes) {
        try {
            Files.createDirectories(root);
            FileChannel lock = lock(root);
            try {
                return new ClusterDirectory(root, lock, nodes);
            } catch (IOException | RuntimeException failure) {
                lock.close();
                throw failure;
            }
        } catch (IOException failure) {
            throw new StartupException(
                    "The data directory " + root + " cannot be used (" + failure
                            + "); check its permissions or choose another.",
                    failure);
        }
    }

    private static FileChannel lock(Path root) throws IOException {
        FileChannel channel = openOrCreate(root.resolve(LOCK_FILE));
        if (!tryLock(channel)) {
            String holder = holder(channel);
            channel.close();
            throw new StartupException("The data directory " + root + " is in use by process " + holder
                    + "; stop that process or choose another data directory.");
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
        return channel;
    }

    /**
     * Opens a file to read and write it, and creates it if it is missing.
     *
     * @throws StartupException if a link has its name, because another user may have planted it
     */
    static FileChannel openOrCreate(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            throw new StartupException(file + " is a link; delete it, or choose another data directory.");
        }
        return FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
    }

    /** Locks a file until its channel is closed; false if this or another process has locked it. */
    static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException heldHere) {
            return false;
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(20);
        channel.read(pid, 0);
        return new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII);
    }

    private static void create(Path file, int nodes) throws IOException {
        String text = "cluster.id=" + Uuid.randomUuid() + "\nnodes=" + nodes + "\n";
        Path draft = file.resolveSibling(CLUSTER_FILE + ".new");
        // A killed process may have left it; never writes through a link.
        Files.deleteIfExists(draft);
        try (FileChannel out = FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            out.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    String clusterId() {
        return clusterId;
    }

    /** The log directory of a node, numbered from 0. */
    Path node(int node) {
        return root.resolve("node-" + (node + 1));
    }

    @Override
    public void close() {
        // If this fails, the end of the process releases the lock.
        Utils.closeQuietly(lock, "lock of " + root);
    }
}
