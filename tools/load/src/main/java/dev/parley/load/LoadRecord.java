package dev.parley.load;

import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A record to send, with its expected outcome.
 *
 * @param record its headers are Parley's own, {@link #ID} and {@link #EXPECTED}; its value is null for a tombstone
 * @param expected its expected outcome
 * @param awaitsBase whether it is a patch sent before its base, which is parked
 */
public record LoadRecord(ProducerRecord<byte[], byte[]> record, ExpectedOutcome expected, boolean awaitsBase) {
    /** Header with the number of the record in its load, from 0. */
    public static final String ID = "load-id";

    /** Header with the expected outcome. */
    public static final String EXPECTED = "load-expected";
}
