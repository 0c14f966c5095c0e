package dev.parley.log.tlog;

import dev.parley.encoding.Sha256;
import dev.parley.file.OwnerOnly;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The last note that a witness cosigned for each log, one file per log. A file is replaced as a whole, so a crash at
 * any moment leaves the old note or the new one. Not thread-safe; one process at a time may open a directory.
 *
 * <p>An old copy of the directory makes the witness cosign a second history: never restore one.
 */
public final class WitnessState implements Closeable {
    private static final String LOCK = "lock";

    private final Path directory;
    private final FileChannel lockFile;
    private boolean durable = true;

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
        Files.createDirectories(directory, OwnerOnly.directory(directory.getFileSystem()));
        FileChannel channel = OwnerOnly.lockFile(directory.resolve(LOCK));
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
        // Entries that an earlier process could not sync, and the directory itself, must outlast a power failure.
        sync(directory);
        sync(directory.toAbsolutePath().getParent());
        return new WitnessState(directory, channel);
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    /**
     * The last note of a log.
     *
     * @param note a tree head with signatures of its log and the cosignature
     * @param treeHead the text of the note
     */
    record Last(SignedNote note, TreeHead treeHead) {}

    /**
     * Reads the last note of a log.
     *
     * @return empty if none was cosigned
     * @throws IOException if the file is damaged, so that the witness must not cosign
     */
    Optional<Last> last(String origin) throws IOException {
        Optional<Last> last = read(hash(origin));
        if (last.isPresent() && !last.get().treeHead().origin().equals(origin)) {
            throw new IOException(directory.resolve(hash(origin)) + " has the origin "
                    + last.get().treeHead().origin());
        }
        return last;
    }

    /**
     * Reads the last note of the log whose origin has a hash.
     *
     * @param hash SHA-256 in lowercase hexadecimal; empty is returned for any other text
     */
    Optional<Last> read(String hash) throws IOException {
        if (!durable) {
            throw new IOException(directory + " could not be synced to disk; restart the witness");
        }
        if (!hash.matches("[0-9a-f]{64}")) {
            return Optional.empty();
        }
        Path file = directory.resolve(hash);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            SignedNote note = SignedNote.parse(Files.readAllBytes(file));
            return Optional.of(new Last(note, TreeHead.parse(note)));
        } catch (TlogFormatException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        }
    }

    /** Replaces the last note of a log, which is a tree head of its origin. Returns when it is on disk. */
    void replace(String origin, SignedNote note) throws IOException {
        Path file = directory.resolve(hash(origin));
        Path draft = OwnerOnly.draft(file, note.toBytes());
        // Until the directory is synced, a power failure may bring the old note back, so the new one must not be shown.
        durable = false;
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        sync(directory);
        durable = true;
    }

    private static String hash(String origin) {
        return HexFormat.of().formatHex(Sha256.of(origin.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
