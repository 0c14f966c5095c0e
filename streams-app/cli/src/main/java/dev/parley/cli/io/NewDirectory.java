package dev.parley.cli.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A new directory that only its owner can read. Never uses an existing file, directory or link. Unless it is kept, what
 * was written to it is deleted at the end, and when the process is interrupted.
 */
public final class NewDirectory implements AutoCloseable {
    private final Path path;
    private final List<Path> created = new ArrayList<>();
    private final ExitHook hook = new ExitHook(this::delete);
    private boolean kept;
    private IOException failure;

    private NewDirectory(Path path) {
        this.path = path;
    }

    /**
     * Creates the directory.
     *
     * @throws java.nio.file.FileAlreadyExistsException if a file, directory or link has its name
     * @throws IOException if it cannot be created
     */
    public static NewDirectory create(Path path) throws IOException {
        NewDirectory directory = new NewDirectory(path);
        try {
            directory.createDirectory(path);
            return directory;
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    private void createDirectory(Path directory) throws IOException {
        hook.unlessEnding(() -> {
            Files.createDirectory(directory, OwnerOnly.directory(directory.getFileSystem()));
            created.add(directory);
        });
    }

    /** Creates a directory in it. */
    public void directory(String name) throws IOException {
        createDirectory(path.resolve(name));
    }

    /** Creates a file in it, and opens it. */
    public OutputStream file(String name) throws IOException {
        Path file = path.resolve(name);
        AtomicReference<SeekableByteChannel> channel = new AtomicReference<>();
        hook.unlessEnding(() -> {
            channel.set(Files.newByteChannel(
                    file,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                    OwnerOnly.file(path.getFileSystem())));
            created.add(file);
        });
        return Channels.newOutputStream(channel.get());
    }

    /** Creates a file in it with a content. */
    public void write(String name, byte[] content) throws IOException {
        try (OutputStream out = file(name)) {
            out.write(content);
        }
    }

    /** Path of a file in it. */
    public Path path(String name) {
        return path.resolve(name);
    }

    /** Keeps the directory: it is complete. */
    public void keep() {
        kept = true;
    }

    @Override
    public void close() throws IOException {
        hook.close();
        if (failure != null) {
            throw failure;
        }
    }

    private void delete() {
        try {
            for (int i = created.size() - 1; i >= 0 && !kept; i--) {
                Files.deleteIfExists(created.get(i));
            }
        } catch (IOException e) {
            failure = e;
        }
    }
}
