package dev.parley.cli.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory that only this user can read, deleted when it is closed and when the process is interrupted. */
public final class TemporaryDirectory implements AutoCloseable {
    private static final int MAX_ATTEMPTS = 100;

    private final ExitHook hook = new ExitHook(this::delete);
    private Path path;

    private TemporaryDirectory() {}

    /** Creates a directory in that of the system. */
    public static TemporaryDirectory create(String prefix) throws IOException {
        return create(Path.of(System.getProperty("java.io.tmpdir")), prefix);
    }

    static TemporaryDirectory create(Path parent, String prefix) throws IOException {
        TemporaryDirectory directory = new TemporaryDirectory();
        try {
            directory.hook.unlessEnding(() -> directory.path = Files.createTempDirectory(parent, prefix));
            return directory;
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        hook.close();
    }

    private void delete() {
        try {
            if (path != null) {
                delete(path);
            }
        } catch (IOException e) {
            // The system deletes its temporary files.
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
