package dev.parley.topology.setup;

import java.util.Optional;

/**
 * What the brokers know of the topics that the pipeline reads, beyond their records. Stream threads call it, rarely: on
 * a task's first record of a partition, and after its position was reset.
 */
public interface SourceTopicMetadata {

    /** Knows nothing, as under a test driver, which has no brokers. */
    SourceTopicMetadata NONE = new SourceTopicMetadata() {
        @Override
        public Optional<String> id(String topic) {
            return Optional.empty();
        }

        @Override
        public long expiredBefore(String topic, int partition) {
            return 0;
        }
    };

    /**
     * The ID of a topic, which another topic of the same name does not have.
     *
     * @return empty when it is not known: without brokers, or without the right to ask
     * @throws org.apache.kafka.common.KafkaException when the brokers do not answer in time
     */
    Optional<String> id(String topic);

    /**
     * Up to which offset records were deleted, if the position in the partition was reset since this was asked last.
     *
     * @return the offset of the first record that is still there; 0 when the position was not reset: then offsets are
     *     absent because of transactions
     * @throws org.apache.kafka.common.KafkaException when the brokers do not answer in time
     */
    long expiredBefore(String topic, int partition);
}
