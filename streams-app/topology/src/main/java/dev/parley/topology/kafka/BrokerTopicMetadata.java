package dev.parley.topology.kafka;

import dev.parley.topology.topics.AdminFutures;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topic metadata from the brokers, and creates the clients of Kafka Streams. Its consumers report when Kafka
 * Streams resets a position: only then can records have been deleted unread. They wait longer for records while the
 * application is idle. All stream threads of a process share one instance.
 */
public final class BrokerTopicMetadata implements SourceTopicMetadata, KafkaClientSupplier, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerTopicMetadata.class);
    private static final int TIMEOUT_MS = 10_000;
    private static final long ID_CACHE_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long SLOW_POLL_NANOS = Duration.ofMillis(20).toNanos();

    private final Admin admin;
    private final Set<TopicPartition> reset = ConcurrentHashMap.newKeySet();
    private final Map<String, CachedId> ids = new ConcurrentHashMap<>();
    private final IdlePolling polling = new IdlePolling(System::nanoTime);

    private record CachedId(Optional<String> id, long nanos) {}

    /**
     * Creates an admin client.
     *
     * @param clients common settings of all Kafka clients
     */
    public BrokerTopicMetadata(Map<String, Object> clients) {
        admin = StreamsSettings.admin(clients, Duration.ofMillis(TIMEOUT_MS));
    }

    @Override
    public Optional<String> id(String topic) {
        CachedId cached = ids.get(topic);
        if (cached == null || System.nanoTime() - cached.nanos() > ID_CACHE_NANOS) {
            Optional<String> id;
            try {
                id = describedId(topic);
            } catch (RetriableException e) {
                if (cached == null) {
                    throw e;
                }
                // An outage must not stop the threads. They check a later record.
                id = cached.id();
            }
            cached = new CachedId(id, System.nanoTime());
            ids.put(topic, cached);
        }
        return cached.id();
    }

    private Optional<String> describedId(String topic) {
        try {
            return Optional.of(AdminFutures.of(admin.describeTopics(List.of(topic))
                            .topicNameValues()
                            .get(topic))
                    .topicId()
                    .toString());
        } catch (AuthorizationException e) {
            LOG.warn("The ID of topic {} is unknown: this principal lacks DESCRIBE on it", topic);
            return Optional.empty();
        }
    }

    @Override
    public long expiredBefore(String topic, int partition) {
        TopicPartition topicPartition = new TopicPartition(topic, partition);
        if (!reset.contains(topicPartition)) {
            return 0;
        }
        long first = AdminFutures.of(admin.listOffsets(Map.of(topicPartition, OffsetSpec.earliest()))
                        .partitionResult(topicPartition))
                .offset();
        reset.remove(topicPartition);
        return first;
    }

    @Override
    public int partitions(Collection<String> topics) {
        int partitions = 0;
        for (KafkaFuture<TopicDescription> topic :
                admin.describeTopics(topics).topicNameValues().values()) {
            partitions =
                    Math.max(partitions, AdminFutures.of(topic).partitions().size());
        }
        return partitions;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new CommittingProducer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new ReportingConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new SizeBoundedConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }

    /** Notes commits. */
    private final class CommittingProducer extends KafkaProducer<byte[], byte[]> {
        CommittingProducer(Map<String, Object> config) {
            super(config, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public void commitTransaction() {
            polling.worked();
            super.commitTransaction();
        }
    }

    /**
     * Notes reset positions. On this consumer, Kafka Streams seeks to the beginning only for a reset.
     *
     * <p>A consumer returns all that it has fetched of a partition before records of others. If these records take
     * long, this one returns what waits of the others in between.
     */
    private final class ReportingConsumer extends KafkaConsumer<byte[], byte[]> {
        private final int maxRecords;
        private final PollWithout without = new PollWithout();

        /** A partition of the last poll of which more may wait here; null without one. */
        private TopicPartition unfinished;

        private long polledNanos;

        ReportingConsumer(Map<String, Object> config) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            maxRecords = Integer.parseInt(
                    config.get(ConsumerConfig.MAX_POLL_RECORDS_CONFIG).toString());
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            try {
                // Without partitions, the thread waits for the group, not for records.
                ConsumerRecords<byte[], byte[]> others = pollOthers();
                ConsumerRecords<byte[], byte[]> records = others.isEmpty()
                        ? super.poll(assignment().isEmpty() ? timeout : polling.timeout(timeout))
                        : others;
                if (!records.isEmpty()) {
                    polling.worked();
                }
                unfinished = records.count() < maxRecords
                        ? null
                        : records.partitions().iterator().next();
                polledNanos = System.nanoTime();
                return records;
            } catch (LogTruncationException e) {
                // Kafka Streams would read again from the beginning, and the pipeline skip the new records there.
                throw new TruncatedTopicException(e.divergentOffsets());
            }
        }

        private ConsumerRecords<byte[], byte[]> pollOthers() {
            if (unfinished == null
                    || System.nanoTime() - polledNanos < SLOW_POLL_NANOS
                    || !assignment().contains(unfinished)
                    || paused().contains(unfinished)) {
                return ConsumerRecords.empty();
            }
            return without.poll(this, unfinished, () -> super.poll(Duration.ZERO));
        }

        @Override
        public void pause(Collection<TopicPartition> partitions) {
            without.paused(partitions);
            super.pause(partitions);
        }

        @Override
        public void seekToBeginning(Collection<TopicPartition> partitions) {
            reset.addAll(partitions);
            LOG.info(
                    "No valid committed offset in {}; reading from the first record. Records that were judged before"
                            + " are skipped; records that were deleted unread are counted and audited.",
                    partitions);
            super.seekToBeginning(partitions);
        }
    }
}
