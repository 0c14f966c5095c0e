package dev.parley.topology.kafka;

import dev.parley.topology.topics.Topics;
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
        return ConsumedRecords.replace(
                records,
                partition -> !Topics.isRepartition(partition.topic())
                        && records.records(partition).stream().anyMatch(ProducerTimestampInterceptor::isProducerTime),
                ProducerTimestampInterceptor::marked);
    }

    private static boolean isProducerTime(ConsumerRecord<byte[], byte[]> record) {
        return record.timestampType() != TimestampType.LOG_APPEND_TIME || record.timestamp() < 0;
    }

    /** Returns a record with the mark, or itself if the broker set its time. */
    private static ConsumerRecord<byte[], byte[]> marked(ConsumerRecord<byte[], byte[]> record) {
        return !isProducerTime(record)
                ? record
                : ConsumedRecords.with(record, record.key(), marked(record.timestamp()), record.value());
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
