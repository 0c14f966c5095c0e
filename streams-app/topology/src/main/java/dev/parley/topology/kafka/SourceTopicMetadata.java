package dev.parley.topology.kafka;

import java.util.Collection;
import java.util.Optional;

/**
 * Metadata of the topics that the pipeline reads. Stream threads call it for each record, and after a reset of its
 * position.
 */
public interface SourceTopicMetadata {

    /** Without brokers, as under a test driver: nothing is known. */
    SourceTopicMetadata NONE = new SourceTopicMetadata() {
        @Override
        public Optional<String> id(String topic) {
            return Optional.empty();
        }

        @Override
        public long expiredBefore(String topic, int partition) {
            return 0;
        }

        @Override
        public int partitions(Collection<String> topics) {
            return 1;
        }
    };

    /**
     * Returns the ID of a topic, at most two seconds old if the brokers respond. A recreated topic has another ID.
     *
     * @return empty without brokers or without permission to describe the topic
     * @throws org.apache.kafka.common.KafkaException if the ID was never known, and the brokers do not respond in time
     */
    Optional<String> id(String topic);

    /**
     * Returns the offset before which records were deleted, if the position was reset since the last call.
     *
     * @return the first available offset; 0 without a reset, because then only transaction markers explain missing
     *     offsets
     * @throws org.apache.kafka.common.KafkaException if the brokers do not respond in time
     */
    long expiredBefore(String topic, int partition);

    /**
     * Returns the largest number of partitions of these topics.
     *
     * @throws org.apache.kafka.common.KafkaException if the brokers do not respond in time, or a topic is missing
     */
    int partitions(Collection<String> topics);
}
