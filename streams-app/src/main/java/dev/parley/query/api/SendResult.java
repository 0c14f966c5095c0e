package dev.parley.query.api;

/** What became of a record that was to be written to a topic. */
public sealed interface SendResult {

    /**
     * It is in the topic.
     *
     * @param topic the topic
     * @param partition its partition
     * @param offset where it stands there
     */
    record Sent(String topic, int partition, long offset) implements SendResult {}

    /** It was not sent, or nobody knows whether it was. */
    sealed interface Failed extends SendResult {

        /** Why, in a sentence. */
        String detail();
    }

    /** What was to be sent is not there, or no longer. */
    record Unknown(String detail) implements Failed {}

    /** It cannot be sent. */
    record Refused(String detail) implements Failed {}

    /** The brokers did not answer in time. Whether the record was sent is not known if the detail says so. */
    record Unavailable(String detail) implements Failed {}
}
