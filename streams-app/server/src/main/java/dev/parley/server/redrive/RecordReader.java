package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.server.fencing.OwnedPartition;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.AdminOffsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads committed records of some topics by position. Not thread-safe; connects on first use. */
final class RecordReader implements AutoCloseable {

    /** Records of one partition so close to each other are read without another seek. */
    private static final long NEAR = 500;

    private static final int FETCH_BYTES = 1 << 20;

    private final List<String> topics;
    private final Map<String, Object> clients;
    private KafkaConsumer<byte[], byte[]> consumer;

    RecordReader(List<String> topics, Map<String, Object> clients) {
        this.topics = List.copyOf(topics);
        this.clients = Map.copyOf(clients);
    }

    /**
     * Passes on each of these records that exists, one at a time.
     *
     * @param deadline time of {@link System#nanoTime}
     */
    void read(Collection<InputPosition> positions, long deadline, Consumer<ConsumerRecord<byte[], byte[]>> found) {
        Map<TopicPartition, SortedSet<Long>> offsets = new TreeMap<>(AdminOffsets.ORDER);
        for (InputPosition position : positions) {
            if (topics.contains(position.topic())) {
                offsets.computeIfAbsent(
                                new TopicPartition(position.topic(), position.partition()), none -> new TreeSet<>())
                        .add(position.offset());
            }
        }
        offsets.forEach((partition, wanted) -> read(partition, wanted, deadline, found));
    }

    private void read(
            TopicPartition partition,
            SortedSet<Long> wanted,
            long deadline,
            Consumer<ConsumerRecord<byte[], byte[]>> found) {
        KafkaConsumer<byte[], byte[]> reader = consumer();
        if (partition.partition()
                >= reader.partitionsFor(partition.topic(), OwnedPartition.remaining(deadline))
                        .size()) {
            return;
        }
        reader.assign(List.of(partition));
        try {
            long end = reader.endOffsets(List.of(partition), OwnedPartition.remaining(deadline))
                    .get(partition);
            SortedSet<Long> left = new TreeSet<>(wanted.headSet(end));
            left.headSet(first(partition, deadline)).clear();
            while (!left.isEmpty()) {
                reader.seek(partition, left.first());
                try {
                    readFrom(partition, left, deadline, found);
                } catch (OffsetOutOfRangeException e) {
                    // Some expired in the meantime.
                    left.headSet(first(partition, deadline)).clear();
                    if (System.nanoTime() - deadline >= 0) {
                        throw e;
                    }
                }
            }
        } finally {
            reader.unsubscribe();
        }
    }

    private long first(TopicPartition partition, long deadline) {
        return consumer()
                .beginningOffsets(List.of(partition), OwnedPartition.remaining(deadline))
                .get(partition);
    }

    /** Reads the first remaining record, and others as long as the next is near. */
    private void readFrom(
            TopicPartition partition,
            SortedSet<Long> left,
            long deadline,
            Consumer<ConsumerRecord<byte[], byte[]>> found) {
        KafkaConsumer<byte[], byte[]> reader = consumer();
        do {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(OwnedPartition.remaining(deadline))) {
                if (left.remove(record.offset())) {
                    found.accept(record);
                }
            }
            // An offset without a record, such as the end of a transaction, advances the position without a record.
            left.headSet(reader.position(partition, OwnedPartition.remaining(deadline)))
                    .clear();
            if (!left.isEmpty() && System.nanoTime() - deadline >= 0) {
                throw new org.apache.kafka.common.errors.TimeoutException("Reading " + partition + " timed out.");
            }
        } while (!left.isEmpty()
                && left.first() - reader.position(partition, OwnedPartition.remaining(deadline)) < NEAR);
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        if (consumer == null) {
            Map<String, Object> settings = StreamsSettings.committedReader(clients);
            settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
            settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
            consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }
        return consumer;
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close();
        }
    }
}
