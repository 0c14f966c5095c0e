package dev.parley.cli.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A new directory that only its owner can read. Never uses an existing file, directory or link. Unless it is kept, what
 * was written to it is deleted at the end.
 */
public final class NewDirectory implements AutoCloseable {
    private final Path path;
    private final List<Path> created = new ArrayList<>();
    private boolean kept;

    private NewDirectory(Path path) {
        this.path = path;
        created.add(path);
    }

    /**
     * Creates the directory.
     *
     * @throws java.nio.file.FileAlreadyExistsException if a file, directory or link has its name
     * @throws IOException if it cannot be created
     */
    public static NewDirectory create(Path path) throws IOException {
        Files.createDirectory(path, OwnerOnly.directory(path.getFileSystem()));
        return new NewDirectory(path);
    }

    /** Creates a directory in it. */
    public void directory(String name) throws IOException {
        Path inside = path.resolve(name);
        Files.createDirectory(inside, OwnerOnly.directory(path.getFileSystem()));
        created.add(inside);
    }

    /** Creates a file in it, and opens it. */
    public OutputStream file(String name) throws IOException {
        Path file = path.resolve(name);
        OutputStream out = Channels.newOutputStream(Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                OwnerOnly.file(path.getFileSystem())));
        created.add(file);
        return out;
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
        for (int i = created.size() - 1; i >= 0 && !kept; i--) {
            Files.deleteIfExists(created.get(i));
        }
    }
}
