package dev.parley.topology.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka clients of an application whose changelogs other clients can write. A restore reports a value that its store
 * cannot read, and treats it as absent. Then the application reads the topics of the store again from the beginning in
 * that partition, and so writes what is missing. Thread-safe.
 */
public final class CheckedRestores extends DefaultKafkaClientSupplier {
    private static final Logger LOG = LoggerFactory.getLogger(CheckedRestores.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Map<String, Store> stores = new HashMap<>();
    private final Set<TopicPartition> unread = ConcurrentHashMap.newKeySet();

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
                return super.poll(timeout);
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
            store.sources().forEach(topic -> unread.add(new TopicPartition(topic, record.partition())));
            return ConsumedRecords.with(record, record.timestamp(), null);
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
