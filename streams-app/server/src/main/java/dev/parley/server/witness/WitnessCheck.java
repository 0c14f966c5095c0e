package dev.parley.server.witness;

import dev.parley.log.LogNotes;
import dev.parley.server.witness.WitnessSettings.Endpoint;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.apache.kafka.common.utils.ThreadUtils;

/** Checks before the start whether witnesses answer. */
final class WitnessCheck {
    private static final ThreadFactory THREADS = ThreadUtils.createThreadFactory("parley-witness-check-%d", true);

    private WitnessCheck() {}

    /** Asks all witnesses at once. Returns a warning for each that does not answer. */
    static List<Finding> run(WitnessSettings settings, WitnessClient client) {
        Executor threads = task -> THREADS.newThread(task).start();
        List<CompletableFuture<Optional<Finding>>> answers = settings.witnesses().stream()
                .map(witness -> CompletableFuture.supplyAsync(() -> ask(witness, settings.origin(), client), threads))
                .toList();
        return answers.stream().flatMap(answer -> answer.join().stream()).toList();
    }

    /** Asks for the last head of the first log. A witness without one answers, too. */
    private static Optional<Finding> ask(Endpoint witness, String deployment, WitnessClient client) {
        try {
            client.last(witness, LogNotes.originOf(deployment, 0));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(Check.WITNESS_SILENT.finding(
                    "witness " + witness.name(),
                    "There is no valid answer from " + witness.url() + ": " + e.getMessage() + ".",
                    "Start the witness, or fix its verifier key and URL. Until then, its cosignatures are missing."));
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }
}
