package dev.parley.cli.io;

import dev.parley.file.OwnerOnly;
import dev.parley.log.evidence.EvidenceDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A new directory that only its owner can read. Never uses an existing file, directory or link. Unless it is kept, it
 * is deleted with its content at the end, and when the process is interrupted.
 */
public final class NewDirectory implements EvidenceDirectory, AutoCloseable {
    private static final int MAX_ATTEMPTS = 100;

    private final ExitHook hook = new ExitHook(this::delete);
    private Path path;
    private boolean kept;
    private IOException failure;

    private NewDirectory(ExitHook.Creation<Path> creation) throws IOException {
        try {
            hook.unlessEnding(() -> path = creation.create());
        } catch (IOException | RuntimeException e) {
            hook.close();
            throw e;
        }
    }

    /**
     * Creates the directory.
     *
     * @throws java.nio.file.FileAlreadyExistsException if a file, directory or link has its name
     * @throws IOException if it cannot be created
     */
    public static NewDirectory create(Path path) throws IOException {
        Options.requireParent(path);
        return new NewDirectory(() -> Files.createDirectory(path, OwnerOnly.directory(path.getFileSystem())));
    }

    /** Creates a directory of any name in the directory of the system for temporary files. */
    public static NewDirectory temporary(String prefix) throws IOException {
        return new NewDirectory(() -> Files.createTempDirectory(prefix));
    }

    @Override
    public void directory(String name) throws IOException {
        hook.unlessEnding(() -> {
            EvidenceDirectory.super.directory(name);
            return null;
        });
    }

    @Override
    public OutputStream file(String name) throws IOException {
        return hook.unlessEnding(() -> new FileOutput(path(name), EvidenceDirectory.super.file(name)));
    }

    /**
     * Does work that leaves files elsewhere if it is cut short: an interruption waits for its end.
     *
     * @throws IOException if the process is ending
     */
    public void uninterrupted(Runnable work) throws IOException {
        hook.unlessEnding(() -> {
            work.run();
            return null;
        });
    }

    @Override
    public Path path(String name) {
        return path.resolve(name);
    }

    /** Keeps the directory: it is complete. */
    public void keep() {
        kept = true;
    }

    /**
     * Deletes the directory, unless it is kept.
     *
     * @throws IOException if it cannot be deleted
     */
    @Override
    public void close() throws IOException {
        hook.close();
        if (failure != null) {
            throw failure;
        }
    }

    private void delete() {
        try {
            if (path != null && !kept) {
                delete(path);
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Deletes a directory in which threads that are about to end may still create and delete files. */
    public static void delete(Path directory) throws IOException {
        for (int attempt = 1; Files.exists(directory); attempt++) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException | UncheckedIOException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
