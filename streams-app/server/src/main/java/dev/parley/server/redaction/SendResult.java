package dev.parley.server.redaction;

/** The result of writing a redaction request. */
public sealed interface SendResult {

    /** The request was written. */
    record Sent(String topic, int partition, long offset) implements SendResult {}

    /** The brokers or the registry are unavailable. The detail says whether the request may have been written. */
    record Unavailable(String detail) implements SendResult {}
}
