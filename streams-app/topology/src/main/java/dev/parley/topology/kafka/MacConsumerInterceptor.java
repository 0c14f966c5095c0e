package dev.parley.topology.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
        if (records.partitions().stream().noneMatch(partition -> mac.covers(partition.topic()))) {
            return records;
        }
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> verified = new HashMap<>();
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> all = records.records(partition);
            if (mac.covers(partition.topic())) {
                all = all.stream().map(mac::verified).toList();
            }
            verified.put(partition, all);
        }
        return new ConsumerRecords<>(verified, records.nextOffsets());
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}
}
