package dev.parley.server.operations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/**
 * Local state of one Kafka Streams application.
 *
 * @param directory its own directory
 */
record LocalState(Path directory) {
    /** Kafka Streams locks this file while it runs. */
    private static final String LOCK_FILE = ".lock";

    static LocalState of(Path stateDirectory, String applicationId) {
        return new LocalState(stateDirectory.resolve(applicationId));
    }

    boolean exists() {
        return Files.exists(directory);
    }

    /** Whether a running process uses the state. */
    boolean isLocked() {
        Path file = directory.resolve(LOCK_FILE);
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot check the lock " + file + ": " + e, e);
        }
    }

    long bytes() {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + directory + ": " + e, e);
        }
    }

    void delete() {
        try {
            Utils.delete(directory.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + directory + ": " + e, e);
        }
    }
}
