package dev.parley.server.ingest;

import dev.parley.audit.InputPosition;
import dev.parley.server.http.ProblemException.Code;

/** The result of sending one message to the input. */
public sealed interface IngestResult {

    /**
     * The message is in the input.
     *
     * @param position its input position
     * @param repeated whether an earlier request with the same idempotency key had sent it
     */
    record Entered(InputPosition position, boolean repeated) implements IngestResult {}

    /**
     * The message was not sent; with BROKERS_UNAVAILABLE, it may be in the input.
     *
     * @param detail one or two sentences for the caller
     */
    record Failed(Code code, String detail) implements IngestResult, WireItem {}
}
