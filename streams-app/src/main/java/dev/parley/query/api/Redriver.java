package dev.parley.query.api;

/**
 * Sends dead letters back to the input topics that they came from. The API only asks for it: who writes to topics is
 * wired elsewhere. Implementations may be asked by many threads.
 */
@FunctionalInterface
public interface Redriver {

    /**
     * Sends key, value and headers of a dead letter's input record, unchanged, to the topic and partition where it was
     * read, with the header {@code parley-attempt}, and returns when all replicas have it. Each call makes a new input.
     * A dead letter without the value of its record, which was too large, is refused.
     *
     * @param topic a dead-letter topic
     */
    SendResult redrive(String topic, int partition, long offset);
}
