package dev.parley.cli.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that appears when it is complete. Until then, its content is in a file of the same name with the suffix {@code
 * .part}, which is deleted on failure and when the process is interrupted. A part that a killed process left is
 * overwritten.
 */
public final class ReplacementFile implements AutoCloseable {
    private final Path file;
    private final Path part;
    private final FileChannel channel;
    private final Thread atExit;

    private ReplacementFile(Path file, Path part, FileChannel channel) {
        this.file = file;
        this.part = part;
        this.channel = channel;
        this.atExit = new Thread(this::delete, "parley-delete-part");
    }

    /**
     * Starts a file that must not exist.
     *
     * @throws FileAlreadyExistsException if it exists
     * @throws IOException if it cannot be created, or another process is writing it
     */
    public static ReplacementFile open(Path file) throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Path part = Path.of(file + ".part");
        FileChannel channel = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw new IOException("another process is writing " + part);
            }
            channel.truncate(0);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        ReplacementFile aside = new ReplacementFile(file, part, channel);
        Runtime.getRuntime().addShutdownHook(aside.atExit);
        return aside;
    }

    /** The content. Closing the stream keeps the part open. */
    public OutputStream stream() {
        return new KeptOpen(Channels.newOutputStream(channel));
    }

    /**
     * Makes the complete content appear under the name of the file.
     *
     * @throws FileAlreadyExistsException if another process created the file meanwhile
     */
    public void publish() throws IOException {
        channel.force(true);
        Files.move(part, file);
    }

    /** Deletes the part unless it was published. */
    @Override
    public void close() throws IOException {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook does the same.
        }
        delete();
        channel.close();
    }

    private void delete() {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            // The next export overwrites it.
        }
    }
}
