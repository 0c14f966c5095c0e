package dev.parley.query.api;

/** Returns dead letters to their input topics. Thread-safe. */
@FunctionalInterface
public interface Redriver {

    /**
     * Writes key, value and headers of a dead letter's input record, unchanged and with the header
     * {@code parley-attempt}, to its topic and partition, and waits until all replicas have it. Each call creates
     * another input record. A dead letter without the value of its record is refused.
     *
     * @param topic a dead-letter topic
     */
    SendResult redrive(String topic, int partition, long offset);
}
