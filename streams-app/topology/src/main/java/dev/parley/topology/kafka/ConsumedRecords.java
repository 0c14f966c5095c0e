package dev.parley.topology.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/** Copies of records that a consumer has read, with changes. */
final class ConsumedRecords {
    private ConsumedRecords() {}

    /**
     * Returns polled records with each record of some partitions replaced; the same object if there are no such
     * partitions.
     */
    static ConsumerRecords<byte[], byte[]> replace(
            ConsumerRecords<byte[], byte[]> polled,
            Predicate<TopicPartition> partitions,
            UnaryOperator<ConsumerRecord<byte[], byte[]>> replacement) {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> all = new HashMap<>();
        boolean anyReplaced = false;
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> records = polled.records(partition);
            boolean replaced = partitions.test(partition);
            anyReplaced |= replaced;
            all.put(partition, replaced ? records.stream().map(replacement).toList() : records);
        }
        return anyReplaced ? new ConsumerRecords<>(all, polled.nextOffsets()) : polled;
    }

    /** Returns a record with another key, timestamp and value. */
    static ConsumerRecord<byte[], byte[]> with(
            ConsumerRecord<byte[], byte[]> record, byte[] key, long timestamp, byte[] value) {
        return new ConsumerRecord<>(
                record.topic(),
                record.partition(),
                record.offset(),
                timestamp,
                record.timestampType(),
                key == null ? ConsumerRecord.NULL_SIZE : key.length,
                value == null ? ConsumerRecord.NULL_SIZE : value.length,
                key,
                value,
                record.headers(),
                record.leaderEpoch());
    }
}
