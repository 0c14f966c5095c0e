package dev.parley.topology.kafka;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Verifies the records of the topics that {@link RecordMac} covers. Replaces the value of one without a valid code: it
 * counts as read, and in a compacted topic it may have replaced a valid one.
 */
public final class MacConsumerInterceptor implements ConsumerInterceptor<byte[], byte[]> {
    private RecordMac mac;

    @Override
    public void configure(Map<String, ?> configs) {
        mac = (RecordMac) configs.get(RecordMac.CONFIG);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        return ConsumedRecords.replace(records, partition -> mac.covers(partition.topic()), mac::verified);
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}
}
