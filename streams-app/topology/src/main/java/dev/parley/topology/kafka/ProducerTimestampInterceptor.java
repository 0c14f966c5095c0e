package dev.parley.topology.kafka;

import dev.parley.topology.topics.Topics;
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
 * Marks input records whose timestamp the producer chose with a negative timestamp, for {@link
 * ClampingTimestampExtractor}. Kafka Streams reports every record as CreateTime to its timestamp extractor, so only the
 * consumer knows the type. Records with the broker's time pass unchanged.
 */
public final class ProducerTimestampInterceptor implements ConsumerInterceptor<byte[], byte[]> {

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        boolean any = false;
        for (TopicPartition partition : records.partitions()) {
            any = any || !Topics.isRepartition(partition.topic()) && hasProducerTime(records.records(partition));
        }
        return any ? marked(records) : records;
    }

    private static boolean hasProducerTime(List<ConsumerRecord<byte[], byte[]>> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (isProducerTime(record)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isProducerTime(ConsumerRecord<byte[], byte[]> record) {
        return record.timestampType() != TimestampType.LOG_APPEND_TIME || record.timestamp() < 0;
    }

    private static ConsumerRecords<byte[], byte[]> marked(ConsumerRecords<byte[], byte[]> records) {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> marked = new HashMap<>();
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>(records.records(partition));
            if (!Topics.isRepartition(partition.topic())) {
                all.replaceAll(record -> isProducerTime(record) ? marked(record) : record);
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

    /**
     * Returns a timestamp with the mark of the producer's choice. A negative timestamp means that the record has none.
     */
    public static long marked(long timestamp) {
        return timestamp < 0 ? Long.MIN_VALUE : -1 - timestamp;
    }

    static boolean isMarked(long timestamp) {
        return timestamp < 0;
    }

    /** Returns the timestamp without its mark; Long.MAX_VALUE if the record had none. */
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
