package dev.parley.topology.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer whose polls return many small records, or few large ones. Kafka bounds a fetch only in compressed bytes,
 * and a small batch can contain large records. So this consumer polls {@code max.poll.records} at a time, and adds
 * further polls without waiting until the batch has enough records or bytes.
 */
public final class SizeBoundedConsumer extends KafkaConsumer<byte[], byte[]> {
    /** Usual maximum of records in a poll, and Kafka Streams' default of max.poll.records. */
    private static final int MAX_RECORDS = 1_000;

    /** Usual maximum of bytes in a poll: no records are added after those that reach it. */
    private static final int MAX_BYTES = 8 << 20;

    private final PollBatch batch;

    /**
     * Creates a consumer with the usual maximums.
     *
     * @param settings consumer settings; {@code max.poll.records} is the number of records that must fit into memory at
     *     any size
     */
    public SizeBoundedConsumer(Map<String, Object> settings) {
        this(settings, MAX_RECORDS, MAX_BYTES);
    }

    /**
     * Creates a consumer.
     *
     * @param settings consumer settings
     * @param maxRecords number of records after which a poll ends
     * @param maxBytes bytes of keys, values and headers after which a poll ends
     */
    public SizeBoundedConsumer(Map<String, Object> settings, int maxRecords, int maxBytes) {
        super(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        batch = new PollBatch(super::poll, maxRecords, maxBytes);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        return batch.poll(timeout);
    }
}
