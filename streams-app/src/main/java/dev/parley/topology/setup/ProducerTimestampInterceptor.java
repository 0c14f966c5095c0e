package dev.parley.topology.setup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;

/**
 * Marks the input records whose timestamp the producer chose, by a negative timestamp that
 * {@link ClampingTimestampExtractor} reads. Kafka Streams tells a timestamp extractor of every record that it has
 * CreateTime, so the consumer is the last place where the type is known. Records with the broker's time pass unchanged.
 */
public final class ProducerTimestampInterceptor implements ConsumerInterceptor<byte[], byte[]> {

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        boolean any = false;
        for (TopicPartition partition : records.partitions()) {
            any = any || Topics.READ.contains(partition.topic()) && hasClaims(records.records(partition));
        }
        return any ? marked(records) : records;
    }

    private static boolean hasClaims(List<ConsumerRecord<byte[], byte[]>> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (isClaim(record)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isClaim(ConsumerRecord<byte[], byte[]> record) {
        return record.timestampType() != TimestampType.LOG_APPEND_TIME || record.timestamp() < 0;
    }

    private static ConsumerRecords<byte[], byte[]> marked(ConsumerRecords<byte[], byte[]> records) {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> marked = new HashMap<>();
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>(records.records(partition));
            if (Topics.READ.contains(partition.topic())) {
                all.replaceAll(record -> isClaim(record) ? marked(record) : record);
            }
            marked.put(partition, all);
        }
        return new ConsumerRecords<>(marked, records.nextOffsets());
    }

    private static ConsumerRecord<byte[], byte[]> marked(ConsumerRecord<byte[], byte[]> record) {
        return new ConsumerRecord<>(
                record.topic(),
                record.partition(),
                record.offset(),
                marked(record.timestamp()),
                record.timestampType(),
                record.serializedKeySize(),
                record.serializedValueSize(),
                record.key(),
                record.value(),
                record.headers(),
                record.leaderEpoch());
    }

    /** A timestamp marked as the producer's; a record without one gets the present. */
    public static long marked(long timestamp) {
        return timestamp < 0 ? Long.MIN_VALUE : -1 - timestamp;
    }

    static boolean isMarked(long timestamp) {
        return timestamp < 0;
    }

    /** The timestamp that was marked; Long.MAX_VALUE when there was none. */
    static long unmarked(long timestamp) {
        return -1 - timestamp;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public void close() {}
}
