package dev.parley.topology.kafka;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka clients of an application whose changelogs other clients can write. A restore reports a value that its store
 * cannot read, and notes its key in the store instead, so that a standby knows it after a restart too. When the task
 * starts, {@link #repair} replaces the value in the changelog. If the store has no other value of the key, the
 * application reads the topics of the store again from the beginning in that partition, and so writes what is missing.
 * Thread-safe.
 */
public final class CheckedRestores extends DefaultKafkaClientSupplier {
    private static final Logger LOG = LoggerFactory.getLogger(CheckedRestores.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** Key of the Kafka Streams settings: the clients themselves, for {@link #repair}. */
    public static final String CONFIG = "parley.checked.restores";
    /** First byte of the key of a note, as no entry has it. The key of the unreadable value follows. */
    private static final byte NOTE = -1;

    private final Map<String, Store> stores = new HashMap<>();
    final Set<TopicPartition> unread = ConcurrentHashMap.newKeySet();

    /**
     * A store with a changelog.
     *
     * @param sources topics whose records write the store, and may do so again; empty if they may not
     * @param check receives key and value of an entry; throws if the store cannot read them
     */
    public record Store(Set<String> sources, BiConsumer<byte[], byte[]> check) {}

    /** @param stores the checked stores by name */
    public CheckedRestores(String applicationId, Map<String, Store> stores) {
        stores.forEach((name, store) -> this.stores.put(applicationId + "-" + name + "-changelog", store));
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
            @Override
            public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                return ConsumedRecords.replace(
                        super.poll(timeout),
                        partition -> stores.containsKey(partition.topic()),
                        record -> checked(record, stores.get(record.topic())));
            }
        };
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
            @Override
            public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                Set<TopicPartition> again = new HashSet<>(unread);
                again.retainAll(assignment());
                if (!again.isEmpty()) {
                    readAgain(this, again);
                }
                try {
                    return super.poll(timeout);
                } catch (LogTruncationException e) {
                    // Kafka Streams would read again from the beginning, but not every store may be written again.
                    throw stores.values().stream()
                                    .anyMatch(store -> store.sources().isEmpty())
                            ? new TruncatedTopicException(e.divergentOffsets())
                            : e;
                }
            }
        };
    }

    private ConsumerRecord<byte[], byte[]> checked(ConsumerRecord<byte[], byte[]> record, Store store) {
        if (record.key() == null || record.value() == null) {
            return record;
        }
        try {
            UnreadableValues.requireValid(record.value());
            store.check().accept(record.key(), record.value());
            return record;
        } catch (RuntimeException e) {
            UnreadableValues.report(
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    record.key(),
                    ExceptionSummary.of(e),
                    store.sources().isEmpty()
                            ? "it is lost"
                            : "it is written again from " + String.join(", ", store.sources()));
            if (store.sources().isEmpty()) {
                return ConsumedRecords.with(record, record.key(), record.timestamp(), null);
            }
            byte[] note = ByteBuffer.allocate(1 + record.key().length)
                    .put(NOTE)
                    .put(record.key())
                    .array();
            return ConsumedRecords.with(record, note, record.timestamp(), UnreadableValues.refused());
        }
    }

    /**
     * Repairs a store whose restore has met unreadable values, at the start of its task: writes what it has under their
     * keys, and removes the notes.
     */
    public static void repair(ProcessorContext<?, ?> context, KeyValueStore<Bytes, byte[]> store) {
        if (context.appConfigs().get(CONFIG) instanceof CheckedRestores restores) {
            Store checked = restores.stores.get(context.applicationId() + "-" + store.name() + "-changelog");
            if (checked != null) {
                restores.repair(store, checked, context.taskId().partition());
            }
        }
    }

    private void repair(KeyValueStore<Bytes, byte[]> store, Store checked, int partition) {
        List<Bytes> notes = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> found = store.range(Bytes.wrap(new byte[] {NOTE}), null)) {
            found.forEachRemaining(entry -> notes.add(entry.key));
        }
        for (Bytes note : notes) {
            Bytes key = Bytes.wrap(Arrays.copyOfRange(note.get(), 1, note.get().length));
            byte[] value = store.get(key);
            store.put(key, value);
            store.put(note, null);
            if (value == null) {
                checked.sources().forEach(topic -> unread.add(new TopicPartition(topic, partition)));
            }
        }
    }

    /** Moves to the first records of partitions, also in the committed offsets, so that a crash does not skip them. */
    private void readAgain(Consumer<byte[], byte[]> consumer, Set<TopicPartition> partitions) {
        try {
            Map<TopicPartition, OffsetAndMetadata> first = new HashMap<>();
            consumer.beginningOffsets(partitions, TIMEOUT)
                    .forEach((partition, offset) -> first.put(partition, new OffsetAndMetadata(offset)));
            consumer.commitSync(first, TIMEOUT);
            first.forEach(consumer::seek);
            unread.removeAll(partitions);
            LOG.warn("Reading {} again from the beginning, because of unreadable values in changelogs", partitions);
        } catch (KafkaException e) {
            LOG.warn("Cannot read {} again from the beginning yet: {}", partitions, e.getMessage());
        }
    }
}
