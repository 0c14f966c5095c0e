package dev.parley.topology.lifecycle;

import dev.parley.file.OwnerOnly;
import dev.parley.logging.FileErrors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.rocksdb.NativeLibraryLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories into which processes unpack the native libraries of RocksDB, Zstandard and Snappy. A process that is
 * killed leaves 15 MB there; the next one deletes them. Other users can neither plant nor change a library: only the
 * owner has access. The library of LZ4 (150 KB) always goes to the directory for temporary files.
 */
public final class NativeLibraries {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibraries.class);
    private static final int BUFFER_BYTES = 1 << 10;
    private static final byte FORMAT_OF_RECORDS = 2;
    private static final String LOCK = "lock";

    /** Never closed, because that would release them. */
    private static final List<FileLock> HELD = new ArrayList<>();

    private static boolean unpacked;

    private NativeLibraries() {}

    /** Unpacks the libraries into a directory of this process, and deletes those of killed processes. */
    public static synchronized void unpack() {
        if (unpacked) {
            return;
        }
        unpacked = true;
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            String directory = directory(temporary.resolve("parley-native-" + System.getProperty("user.name")))
                    .toString();
            System.setProperty("ZstdTempFolder", directory);
            System.setProperty("org.xerial.snappy.tempdir", directory);
            NativeLibraryLoader.getInstance().loadLibrary(directory);
            // At once, because the system may delete old directories for temporary files.
            for (Compression compression :
                    List.of(Compression.snappy().build(), Compression.zstd().build())) {
                compression
                        .wrapForOutput(new ByteBufferOutputStream(BUFFER_BYTES), FORMAT_OF_RECORDS)
                        .close();
            }
        } catch (IOException e) {
            LOG.warn(
                    "Cannot use a directory for native libraries in {}: {}. They are unpacked there under random names,"
                            + " and remain after a crash",
                    temporary,
                    FileErrors.reason(e));
        }
    }

    /**
     * Creates a directory for this process, which it holds until it ends, and deletes those that no process holds.
     *
     * @param parent common directory of the processes of a user; created if it is missing
     * @throws IOException if the parent is a link or belongs to another user, or nothing can be created
     */
    static Path directory(Path parent) throws IOException {
        OwnerOnly.createDirectory(parent);
        // Between its creation and its lock, a directory looks like that of a killed process.
        try (FileChannel all = OwnerOnly.lockFile(parent.resolve(LOCK));
                FileLock processes = all.lock();
                DirectoryStream<Path> directories = Files.newDirectoryStream(parent, Files::isDirectory)) {
            Path own = Files.createTempDirectory(parent, "");
            if (!Files.getOwner(parent, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own))) {
                throw new FileSystemException(parent.toString(), null, "belongs to another user");
            }
            hold(own);
            for (Path directory : directories) {
                if (!directory.equals(own) && !isHeld(directory)) {
                    delete(directory);
                }
            }
            return own;
        }
    }

    /** Locks a directory until the process ends, and then deletes it. */
    private static void hold(Path directory) throws IOException {
        // Deleted in reverse order, after the libraries.
        directory.toFile().deleteOnExit();
        Path lock = directory.resolve(LOCK);
        lock.toFile().deleteOnExit();
        HELD.add(OwnerOnly.lockFile(lock).lock());
    }

    private static boolean isHeld(Path directory) throws IOException {
        try (FileChannel channel = OwnerOnly.lockFile(directory.resolve(LOCK));
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }

    private static void delete(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
