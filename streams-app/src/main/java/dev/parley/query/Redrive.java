package dev.parley.query;

/**
 * Sends dead letters back to the input topics that they came from. The API only asks for it: who writes to topics is wired elsewhere.
 * Implementations may be asked by many threads.
 */
@FunctionalInterface
public interface Redrive {

    /**
     * Sends key, value and headers of a dead letter, unchanged, to the topic and partition where it was read, and returns when all replicas have it. Each call
     * makes a new input.
     *
     * @param topic a dead-letter topic
     */
    Outcome redrive(String topic, int partition, long offset);

    /** What became of it. */
    sealed interface Outcome {

        /**
         * It is in the input topic.
         *
         * @param topic input topic
         * @param partition its partition
         * @param offset where it stands there
         */
        record Sent(String topic, int partition, long offset) implements Outcome {}

        /** It was not sent, or nobody knows whether it was. */
        sealed interface Failed extends Outcome {

            /** Why, in a sentence. */
            String detail();
        }

        /** There is no dead letter at that place, or no longer. */
        record Unknown(String detail) implements Failed {}

        /** The dead letter does not name an input topic that it came from. */
        record Refused(String detail) implements Failed {}

        /** The brokers did not answer in time. Whether the record was sent is not known if the detail says so. */
        record Unavailable(String detail) implements Failed {}
    }
}
