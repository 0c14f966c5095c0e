package dev.parley.server.operations;

import dev.parley.logging.FileErrors;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.deployment.Deployment.StreamsApplication;
import dev.parley.server.operations.ChangePlan.Step;
import dev.parley.topology.lifecycle.StateTopicIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;

/** Deletes the local state of this machine. Kafka Streams restores it from the brokers at the next start. */
public final class StateCleanup {
    /** Kafka Streams locks this file of a state directory while it runs. */
    private static final String LOCK_FILE = ".lock";

    private StateCleanup() {}

    /** Plans the deletion; refused while a process uses the state. */
    public static ChangePlan plan(Deployment deployment) {
        List<Step> steps = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        for (StreamsApplication application : deployment.applications()) {
            Path state = deployment.stateDirectory().resolve(application.applicationId());
            if (!Files.exists(state)) {
                continue;
            }
            if (isLocked(state)) {
                refusals.add("A process runs " + application.applicationId() + " on " + state + ". Stop it first.");
            }
            steps.add(new Step(
                    "delete",
                    "directory " + state,
                    bytes(state) + " bytes of state of " + application.name(),
                    () -> delete(state)));
        }
        Path mark = new StateTopicIds(
                        deployment.stateDirectory(), deployment.pipeline().applicationId())
                .file();
        if (Files.exists(mark)) {
            steps.add(new Step("delete", "file " + mark, "topic IDs that the state belongs to", () -> delete(mark)));
        }
        return new ChangePlan(steps, refusals);
    }

    /** Whether a running process uses the state directory of an application. */
    static boolean isLocked(Path state) {
        Path file = state.resolve(LOCK_FILE);
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot check the lock " + file + ": " + FileErrors.reason(e), e);
        }
    }

    private static long bytes(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + directory + ": " + FileErrors.reason(e), e);
        }
    }

    /** Deletes a file, or a directory with its content. */
    private static void delete(Path path) {
        try {
            Utils.delete(path.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + path + ": " + FileErrors.reason(e), e);
        }
    }
}
