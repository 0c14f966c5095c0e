package dev.parley.topology.pipeline;

import dev.parley.log.RestoredLog;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Checks whether the pipeline may sign a log that a task restored (docs/operations.md). Thread-safe. */
@FunctionalInterface
public interface RestoredLogs {

    /** Without brokers, as under a test driver, or without a key: every log may be signed. */
    RestoredLogs NONE = log -> () -> CompletableFuture.completedFuture(Optional.empty());

    /**
     * Why a log must not be signed.
     *
     * @param index index of the first record in the log that cannot be signed; -1 if unknown
     * @param isFinal whether another check would have the same result; false if the brokers did not answer in time
     */
    record Refusal(long index, String cause, boolean isFinal) {}

    /**
     * Prepares the check of a log. The stream thread calls it before the task processes a record, and starts the check
     * later, again after a refusal that is not final.
     *
     * @return starts a check on another thread; its result never completes exceptionally, is empty if the log may be
     *     signed, and may be cancelled
     * @throws org.apache.kafka.common.KafkaException if the brokers do not respond in time
     */
    Supplier<CompletableFuture<Optional<Refusal>>> prepare(RestoredLog log);
}
