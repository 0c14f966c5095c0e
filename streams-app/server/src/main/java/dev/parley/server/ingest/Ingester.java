package dev.parley.server.ingest;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends messages to the input. Thread-safe. */
@FunctionalInterface
public interface Ingester extends AutoCloseable {

    /**
     * Starts sending messages, and waits at most about a second. Messages of one conversation keep their order, unless
     * only some of them have an idempotency key.
     *
     * @param caller name of the caller, to which idempotency keys belong
     * @return the result of each message, in their order; each completes within a bounded time, and never with a
     *     failure
     */
    List<CompletableFuture<IngestResult>> send(String caller, List<IngestMessage> messages);

    /** Closes its clients. */
    @Override
    default void close() {}
}
