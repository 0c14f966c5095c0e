package dev.parley.server.redaction;

/** The result of writing a record to a topic. */
public sealed interface SendResult {

    /** The record was written. */
    record Sent(String topic, int partition, long offset) implements SendResult {}

    /** The record was not written, or it is unknown whether it was. */
    sealed interface Failed extends SendResult {

        /** The reason, in one sentence. */
        String detail();
    }

    /** The record to send does not exist, or no longer. */
    record Unknown(String detail) implements Failed {}

    /** The record cannot be sent. */
    record Refused(String detail) implements Failed {}

    /** The brokers are unavailable. The detail says whether the record may have been written. */
    record Unavailable(String detail) implements Failed {}
}
