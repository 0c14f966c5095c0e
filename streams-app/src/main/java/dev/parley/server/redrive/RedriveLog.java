package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Redrive;
import dev.parley.server.redrive.RedriveIndex.Entry;
import dev.parley.topology.kafka.OutageClassifier;
import dev.parley.topology.kafka.SizeBoundedConsumer;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the redrive topic into an index. Not thread-safe; connects on first use. */
final class RedriveLog implements AutoCloseable {

    /** The partition with all redrives. */
    static final int PARTITION = 0;

    private static final Logger LOG = LoggerFactory.getLogger(RedriveLog.class);
    private static final Duration POLL = Duration.ofMillis(500);

    private final Map<String, Object> clients;
    private final Topic<String, Redrive> topic;
    private final TopicPartition partition;
    private final RedriveIndex index = new RedriveIndex();
    private Consumer<byte[], byte[]> consumer;
    private Consumer<byte[], byte[]> uncommitted;
    private long next = -1;

    RedriveLog(Map<String, Object> clients, Topic<String, Redrive> topic) {
        this.clients = Map.copyOf(clients);
        this.topic = topic;
        this.partition = new TopicPartition(topic.name(), PARTITION);
    }

    RedriveIndex index() {
        return index;
    }

    /** Reads the committed redrives that the index does not have, up to the first open transaction. */
    void refresh(long deadline) {
        refreshTo(end(consumer(), deadline), deadline);
    }

    /**
     * Reads all redrives that the index does not have. Waits for the end of open transactions, which hide those behind
     * them.
     *
     * @throws TimeoutException if one remains open
     */
    void refreshAll(long deadline) {
        refreshTo(end(uncommitted(), deadline), deadline);
    }

    private long end(Consumer<byte[], byte[]> reader, long deadline) {
        return reader.endOffsets(List.of(partition), remaining(deadline)).get(partition);
    }

    private void refreshTo(long end, long deadline) {
        Consumer<byte[], byte[]> reader = consumer();
        if (next < 0 || next > end) {
            // At the start, or after the topic was created again; what the index has, it keeps.
            next = first(deadline);
        }
        if (next >= end) {
            return;
        }
        reader.seek(partition, next);
        while (next < end) {
            try {
                for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                    entry(record).ifPresent(index::add);
                }
                next = reader.position(partition, remaining(deadline));
            } catch (OffsetOutOfRangeException e) {
                next = first(deadline);
                reader.seek(partition, next);
            }
            if (next < end && System.nanoTime() - deadline >= 0) {
                throw new TimeoutException("Reading " + partition + " timed out at offset " + next + " of " + end
                        + "; a producer may have left a transaction open.");
            }
        }
    }

    /** The record of a redrive; empty if it does not exist or is unreadable. */
    Optional<Redrive> read(long offset, long deadline) {
        Consumer<byte[], byte[]> reader = consumer();
        reader.seek(partition, offset);
        while (reader.position(partition, remaining(deadline)) <= offset) {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(remaining(deadline))) {
                return record.offset() == offset ? value(record) : Optional.empty();
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new TimeoutException("Reading " + partition + " timed out.");
            }
        }
        return Optional.empty();
    }

    private long first(long deadline) {
        return consumer()
                .beginningOffsets(List.of(partition), remaining(deadline))
                .get(partition);
    }

    /** What the index has of a record. The key alone forbids another redrive, even if the value is unreadable. */
    private Optional<Entry> entry(ConsumerRecord<byte[], byte[]> record) {
        Optional<InputPosition> source = record.key() == null
                ? Optional.empty()
                : InputPosition.parse(new String(record.key(), StandardCharsets.UTF_8));
        if (source.isEmpty()) {
            LOG.warn("Ignored the record at {}@{}: its key is not an input position", partition, record.offset());
            return Optional.empty();
        }
        Optional<Redrive> redrive = value(record);
        return Optional.of(new Entry(
                source.get(),
                redrive.flatMap(read -> InputPosition.parse(read.getSent())).orElse(null),
                redrive.map(Redrive::getAttempt).orElse(0),
                record.offset(),
                redrive.map(Redrive::getOperation).orElse("")));
    }

    private Optional<Redrive> value(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(topic.read(record.value()));
        } catch (KafkaException e) {
            if (OutageClassifier.isOutage(e)) {
                throw e;
            }
            LOG.warn("Cannot read the redrive at {}@{}: {}", partition, record.offset(), e.getMessage());
            return Optional.empty();
        }
    }

    private Consumer<byte[], byte[]> consumer() {
        if (consumer == null) {
            consumer = new SizeBoundedConsumer(settings());
            consumer.assign(List.of(partition));
        }
        return consumer;
    }

    /** Knows the end of the topic behind open transactions. */
    private Consumer<byte[], byte[]> uncommitted() {
        if (uncommitted == null) {
            Map<String, Object> settings = settings();
            settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
            uncommitted = new SizeBoundedConsumer(settings);
        }
        return uncommitted;
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>(StreamsSettings.committedReader(clients));
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20);
        return settings;
    }

    private static Duration remaining(long deadline) {
        return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close();
        }
        if (uncommitted != null) {
            uncommitted.close();
        }
    }
}
