package dev.parley.tlog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The last checkpoint that a witness cosigned for each log, one file per log. A file is replaced as a whole, so a crash
 * at any moment leaves the old checkpoint or the new one. Not thread-safe; one process at a time may open a directory.
 *
 * <p>An old copy of the directory makes the witness cosign a second history: never restore one.
 */
public final class WitnessState implements Closeable {
    private static final String LOCK = "lock";
    private static final String NEW = ".new";

    private final Path directory;
    private final FileChannel lockFile;

    private WitnessState(Path directory, FileChannel lockFile) {
        this.directory = directory;
        this.lockFile = lockFile;
    }

    /**
     * Opens a directory, which is created if it does not exist.
     *
     * @throws IOException if it cannot be used, or another process has it open
     */
    public static WitnessState open(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileChannel channel =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // This process has it open.
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new IOException(directory + " is in use by another witness");
        }
        return new WitnessState(directory, channel);
    }

    /**
     * Reads the last checkpoint of a log.
     *
     * @return empty if none was cosigned
     * @throws IOException if the file is damaged, so that the witness must not cosign
     */
    Optional<Checkpoint> last(String origin) throws IOException {
        Path file = file(origin);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            Lines lines = new Lines(Lines.decode(Files.readAllBytes(file)), 1);
            Checkpoint checkpoint = Checkpoint.parse(lines);
            if (!checkpoint.origin().equals(origin)) {
                throw new IOException(file + " has the origin " + checkpoint.origin());
            }
            return Optional.of(checkpoint);
        } catch (TlogFormatException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        }
    }

    /** Replaces the last checkpoint of a log. Returns when it is on disk. */
    void replace(Checkpoint checkpoint) throws IOException {
        Path file = file(checkpoint.origin());
        Path written = file.resolveSibling(file.getFileName() + NEW);
        try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            String text = new Checkpoint(checkpoint.origin(), checkpoint.size(), checkpoint.root()).text();
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    private Path file(String origin) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(origin.getBytes(StandardCharsets.UTF_8));
            return directory.resolve(HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
