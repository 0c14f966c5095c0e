package dev.parley.cli.io;

import dev.parley.file.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A new file that appears when it is complete. Until then, its content is in a file
 * of the same name with the suffix {@code .part}, which is deleted on failure and when the process is interrupted.
 * Replaces a part that a killed process left. Neither writes through a link nor into a file of another process.
 */
public final class ReplacementFile implements AutoCloseable {
    private final Path file;
    private final Path part;
    private final ExitHook hook = new ExitHook(this::delete);
    private FileChannel channel;

    private ReplacementFile(Path file) {
        this.file = file;
        this.part = Path.of(file + ".part");
    }

    /**
     * Starts a file that must not exist, and that only its owner can read.
     *
     * @throws FileAlreadyExistsException if it exists
     * @throws IOException if it cannot be created, or another process is writing it
     */
    public static ReplacementFile open(Path file) throws IOException {
        Options.requireParent(file);
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new UsageException(file + " is a directory; name a file in it");
        }
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        ReplacementFile aside = new ReplacementFile(file);
        try {
            return aside.hook.unlessEnding(aside::create);
        } catch (IOException | RuntimeException e) {
            aside.close();
            throw e;
        }
    }

    private ReplacementFile create() throws IOException {
        deleteLeftPart();
        channel = FileChannel.open(
                part,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                OwnerOnly.file(part.getFileSystem()));
        if (channel.tryLock() == null) {
            throw new IOException("another process is writing " + part);
        }
        return this;
    }

    /** Deletes the part that a killed process left, which has no lock. */
    private void deleteLeftPart() throws IOException {
        if (!Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(part + " is not a file of parley; delete it");
        }
        try (FileChannel left = FileChannel.open(part, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            if (left.tryLock() == null) {
                throw new IOException("another process is writing " + part);
            }
            Files.delete(part);
        }
    }

    /**
     * Writes a file that must not exist, at once.
     *
     * @throws FileAlreadyExistsException if it exists
     */
    public static void write(Path file, byte[] content) throws IOException {
        try (ReplacementFile aside = open(file)) {
            aside.stream().write(content);
            aside.publish();
        }
    }

    /** The content. Closing the stream keeps the part open. */
    public OutputStream stream() {
        return new KeptOpen(new FileOutput(file, Channels.newOutputStream(channel)));
    }

    /**
     * Makes the complete content appear under the name of the file.
     *
     * @throws FileAlreadyExistsException if another process created the file meanwhile
     */
    public void publish() throws IOException {
        publish(Files::createLink);
    }

    /** @param link creates hard links; fails if the file system has none */
    void publish(Link link) throws IOException {
        try {
            channel.force(true);
        } catch (IOException e) {
            throw FileOutput.named(file, e);
        }
        try {
            // Unlike a move, never replaces a file that has just been created.
            link.create(file, part);
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException e) {
            // FAT and some network file systems have no hard links.
            hook.unlessEnding(this::move);
        }
    }

    /** Replaces an empty file, which only this process can have created, by the part. */
    private Path move() throws IOException {
        Files.createFile(file, OwnerOnly.file(file.getFileSystem()));
        try {
            return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            try {
                Files.delete(file);
            } catch (IOException f) {
                e.addSuppressed(f);
            }
            throw e;
        }
    }

    /** Creates a hard link to an existing file. */
    interface Link {
        void create(Path link, Path existing) throws IOException;
    }

    /** Deletes the part. */
    @Override
    public void close() throws IOException {
        hook.close();
        if (channel != null) {
            channel.close();
        }
    }

    private void delete() {
        try {
            if (channel != null) {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            // The next export deletes it.
        }
    }
}
