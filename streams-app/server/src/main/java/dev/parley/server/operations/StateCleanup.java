package dev.parley.server.operations;

import dev.parley.server.operations.ChangePlan.Step;
import dev.parley.server.operations.Deployment.StreamsApplication;
import dev.parley.topology.lifecycle.StateTopicIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Deletes the local state of this machine. Kafka Streams restores it from the brokers at the next start. */
public final class StateCleanup {
    private StateCleanup() {}

    /** Plans the deletion; refused while a process uses the state. */
    public static ChangePlan plan(Deployment deployment) {
        List<Step> steps = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        for (StreamsApplication application : deployment.applications()) {
            LocalState state = LocalState.of(deployment.stateDirectory(), application.applicationId());
            if (!state.exists()) {
                continue;
            }
            if (state.isLocked()) {
                refusals.add("A process runs " + application.applicationId() + " on " + state.directory()
                        + ". Stop it first.");
            }
            steps.add(new Step(
                    "delete",
                    "directory " + state.directory(),
                    state.bytes() + " bytes of state of " + application.name(),
                    state::delete));
        }
        Path mark = new StateTopicIds(deployment.stateDirectory()).file();
        if (Files.exists(mark)) {
            steps.add(new Step("delete", "file " + mark, "topic IDs that the state belongs to", () -> delete(mark)));
        }
        return new ChangePlan(steps, refusals);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + file + ": " + e, e);
        }
    }
}
