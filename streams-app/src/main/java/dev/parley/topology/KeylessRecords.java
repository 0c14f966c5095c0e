package dev.parley.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Gives records without a key an empty one, for the global consumer of the views. Kafka Streams passes over records without a key when it
 * restores a global store, though not afterwards; a dead letter keeps the key of its input record, which may have none.
 */
public final class KeylessRecords implements ConsumerInterceptor<byte[], byte[]> {

    /** Where the interceptor is configured: for the global consumer alone. */
    static final String CONFIG = StreamsConfig.globalConsumerPrefix(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);

    private static final byte[] EMPTY = {};

    /** Made by the consumer. */
    public KeylessRecords() {}

    /** @throws ConfigException when the application does not use the interceptor: restored stores would lack dead letters */
    static void require(Map<String, Object> config) {
        if (!String.valueOf(config.get(CONFIG)).contains(KeylessRecords.class.getName())) {
            throw new ConfigException(CONFIG, config.get(CONFIG), "must contain " + KeylessRecords.class.getName());
        }
    }

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        boolean keyless = false;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.key() == null) {
                keyless = true;
                break;
            }
        }
        if (!keyless) {
            return records;
        }
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> keyed = new LinkedHashMap<>();
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> list = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                list.add(record.key() == null ? keyed(record) : record);
            }
            keyed.put(partition, list);
        }
        return new ConsumerRecords<>(keyed, records.nextOffsets());
    }

    private static ConsumerRecord<byte[], byte[]> keyed(ConsumerRecord<byte[], byte[]> record) {
        return new ConsumerRecord<>(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.timestampType(),
                record.serializedKeySize(),
                record.serializedValueSize(),
                EMPTY,
                record.value(),
                record.headers(),
                record.leaderEpoch());
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        // Nothing to do: offsets are not touched.
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // Nothing to configure.
    }
}
