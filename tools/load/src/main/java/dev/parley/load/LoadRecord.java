package dev.parley.load;

import java.util.Map;

/**
 * A record to send, with its expected outcome.
 *
 * @param topic input topic
 * @param key its key
 * @param value its value; null for a tombstone
 * @param headers its headers: Parley's own, and {@link #ID} and {@link #EXPECTED}
 * @param expected its expected outcome
 * @param awaitsBase whether it is a patch sent before its base, which is parked
 */
public record LoadRecord(
        String topic,
        byte[] key,
        byte[] value,
        Map<String, String> headers,
        ExpectedOutcome expected,
        boolean awaitsBase) {
    /** Header with the number of the record in its load, from 0. */
    public static final String ID = "load-id";

    /** Header with the expected outcome. */
    public static final String EXPECTED = "load-expected";
}
