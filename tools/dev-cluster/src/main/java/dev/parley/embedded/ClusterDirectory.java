package dev.parley.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.kafka.common.utils.Utils;

/** The data directory of an embedded broker, which one process at a time can lock. */
record ClusterDirectory(Path root, FileChannel lock) implements AutoCloseable {
    private static final String LOCK_FILE = "embedded-kafka.lock";

    /**
     * Locks a directory, and creates it if it is missing.
     *
     * @throws StartupException if another process uses it, or it is not writable
     */
    static ClusterDirectory open(Path root) {
        try {
            Files.createDirectories(root);
            return new ClusterDirectory(root, lock(root));
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

    @Override
    public void close() {
        // If this fails, the end of the process releases the lock.
        Utils.closeQuietly(lock, "lock of " + root);
    }
}
