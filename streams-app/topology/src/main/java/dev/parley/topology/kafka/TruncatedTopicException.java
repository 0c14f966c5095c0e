package dev.parley.topology.kafka;

import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * Thrown if the brokers lost records that were already read, as in an unclean leader election, so that other records
 * get their offsets. No record caused it, so the stream thread stops.
 */
final class TruncatedTopicException extends StreamsException {
    private static final long serialVersionUID = 1L;

    /**
     * Names the partitions and the remedy.
     *
     * @param firstLost the first lost offset of each partition
     */
    TruncatedTopicException(Map<TopicPartition, OffsetAndMetadata> firstLost) {
        super("The brokers lost records that were already read, and give their offsets to other records: " + firstLost
                + ". The cause is an unclean leader election, or a restored broker. Stop every instance and run parley"
                + " reset --empty-outputs, or restore the topic.");
    }
}
