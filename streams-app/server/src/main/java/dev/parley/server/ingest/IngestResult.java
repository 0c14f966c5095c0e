package dev.parley.server.ingest;

import dev.parley.audit.InputPosition;

/** The result of sending one message to the input. */
public sealed interface IngestResult {

    /**
     * The message is in the input.
     *
     * @param position its input position
     * @param repeated whether an earlier request with the same idempotency key had sent it
     */
    record Entered(InputPosition position, boolean repeated) implements IngestResult {}

    /** The message is not in the input, or it is unknown whether it is. */
    sealed interface Failed extends IngestResult {

        /** The reason, in one sentence, and what to do. */
        String detail();
    }

    /** The idempotency key belongs to another message, so this one was not sent. */
    record KeyReused(String detail) implements Failed {}

    /** The message is too large for its topic, so it was not sent. */
    record TooLarge(String detail) implements Failed {}

    /** The brokers do not keep up, so the message was not sent. */
    record Limited(String detail) implements Failed {}

    /** The brokers did not acknowledge the message in time; it may be in the input. */
    record Unknown(String detail) implements Failed {}
}
