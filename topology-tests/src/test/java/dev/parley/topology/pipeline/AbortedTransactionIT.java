package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.log.ChainVerifier;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.testing.NewTopicProducers;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.TopicSetup;
import dev.parley.topology.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Failed commits: Kafka Streams aborts the transaction, closes the tasks dirty, and initializes the same processor
 * objects again over reverted stores.
 */
@Tag("long")
class AbortedTransactionIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final int PATCHES = 700;

    @TempDir
    private Path directory;

    private final FailingCommits commits = new FailingCommits();
    private final List<Throwable> deaths = new ArrayList<>();

    @Test
    void abortedTransactionsLoseAndDuplicateNothingInMemory() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka"))
                .withMaxMessageBytes(new ParleyConfig(Map.of()).outputRecordBytes()))) {
            ParleyConfig config = new ParleyConfig(Map.of(
                    ParleyConfig.BOOTSTRAP_SERVERS,
                    kafka.bootstrapServers(),
                    ParleyConfig.REGISTRY_URL,
                    "mock://" + UUID.randomUUID(),
                    ParleyConfig.STATE_DIR,
                    directory.resolve("state").toString(),
                    ParleyConfig.PARTITIONS,
                    1,
                    ParleyConfig.REPLICATION,
                    (short) 1,
                    ParleyConfig.PARKING_MAX,
                    100_000,
                    AuditKeys.HEADS_INTERVAL_MS,
                    300));
            try (Admin admin = Admin.create(StreamsSettings.clientSettings(config))) {
                assertThat(TopicSetup.of(config).createAndValidate(admin)).isEmpty();
            }
            try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings());
                    KafkaStreams streams = new KafkaStreams(
                            PipelineDriver.topology(config, serdes, PipelineListener.NONE),
                            ParleyTopology.config(config),
                            commits)) {
                streams.setUncaughtExceptionHandler(death -> {
                    deaths.add(death);
                    return org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse
                            .REPLACE_THREAD;
                });
                streams.start();
                attack(new Cluster(kafka.bootstrapServers(), new Topics(TopicNames.DEFAULT, serdes)));
            }
        }
    }

    private void attack(Cluster cluster) throws Exception {
        List<InputRecord> sent = new ArrayList<>();
        for (int i = 0; i < PATCHES; i++) {
            sent.add(InputRecord.patch("ctx", "P" + i, "C1", "T" + i, "+ DEF B = " + i));
        }
        sent.add(InputRecord.slipRequest(1, 1));
        cluster.send(sent);
        cluster.awaitCounts(1, PATCHES);

        // A conversation that an aborted transaction made and forgot.
        commits.failOnce(topics -> topics.contains(TopicNames.DEFAULT.audit()));
        cluster.send(List.of(InputRecord.slipRequest(2, 1)));
        cluster.awaitCounts(2, PATCHES);
        assertThat(commits.isArmed()).isFalse();

        // Counts that an aborted transaction published: no later record changes them. On a busy machine, the counts of
        // a record may be in the transaction of its outputs; then another record has to follow.
        commits.failOnce(Set.of(cluster.topics().accounting().name())::equals);
        int resends = 0;
        do {
            cluster.send(List.of(InputRecord.slipRequest(2, 1)));
            resends++;
            cluster.awaitCounts(2 + resends, PATCHES);
            assertThat(resends).as("records until counts were published alone").isLessThan(50);
        } while (commits.isArmed());

        // A slice of a cascade.
        cluster.send(List.of(InputRecord.patch("ctx", "P", "C0", "C1", "+ DEF A = 1")));
        commits.failOnce(topics -> topics.contains(TopicNames.DEFAULT.audit()));
        cluster.awaitCounts(PATCHES + 3 + resends, 0);
        assertThat(commits.isArmed()).isFalse();

        List<AuditRecord> audit = cluster.audit();
        assertThat(audit)
                .extracting(AuditRecord::getSource)
                .doesNotHaveDuplicates()
                .hasSize(PATCHES + 3 + resends);
        assertThat(audit.stream().filter(record -> record.getVerdict().equals(Verdict.ACCEPTED.name())))
                .hasSizeGreaterThan(PATCHES);
        ChainVerifier verifier = new ChainVerifier();
        audit.forEach(record -> assertThat(verifier.check(record)).isEmpty());
        assertThat(audit.stream()
                        .filter(record -> record.getChain().contains("ctx"))
                        .map(record -> record.getSource().getOffset()))
                .as("the base, then the patches in the order of arrival")
                .startsWith(PATCHES + 2L + resends)
                .satisfies(offsets ->
                        assertThat(offsets.subList(1, offsets.size())).isSorted());
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(cluster.heads())
                        .last()
                        .satisfies(head -> assertThat(head.getSize()).isEqualTo(audit.size())));
        LogTrees.verify(audit, cluster.heads());
        assertThat(deaths).isEmpty();
    }

    /** Producers that fail the commit of a transaction that wrote to certain topics, before anything is committed. */
    private static final class FailingCommits extends DefaultKafkaClientSupplier {
        private final AtomicReference<Predicate<Set<String>>> armed = new AtomicReference<>();

        void failOnce(Predicate<Set<String>> topics) {
            armed.set(topics);
        }

        boolean isArmed() {
            return armed.get() != null;
        }

        @Override
        public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
            return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()) {
                private final Set<String> written = new HashSet<>();

                @Override
                public void beginTransaction() {
                    written.clear();
                    super.beginTransaction();
                }

                @Override
                public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
                    written.add(record.topic());
                    return super.send(record, callback);
                }

                @Override
                public void commitTransaction() {
                    Predicate<Set<String>> topics = armed.get();
                    if (topics != null && topics.test(written)) {
                        armed.set(null);
                        throw new TimeoutException("this commit fails");
                    }
                    super.commitTransaction();
                }
            };
        }
    }

    /** The topics, as they were committed. */
    private record Cluster(String brokers, Topics topics) {

        void send(List<InputRecord> wires) throws Exception {
            Map<String, Object> settings =
                    NewTopicProducers.settings(Map.of("bootstrap.servers", brokers, "linger.ms", 5));
            List<Future<RecordMetadata>> acknowledgments = new ArrayList<>();
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
                for (InputRecord wire : wires) {
                    acknowledgments.add(producer.send(
                            new ProducerRecord<>(wire.topic(), null, null, wire.key(), wire.value(), wire.headers())));
                }
            }
            for (Future<RecordMetadata> acknowledgment : acknowledgments) {
                acknowledgment.get();
            }
        }

        /** The published accounting has the given numbers of verdicts and of waiting inputs. */
        void awaitCounts(long judged, long parked) {
            await().atMost(TIMEOUT).untilAsserted(() -> {
                Map<String, Accounting> latest = new HashMap<>();
                read(topics.accounting()).forEach(latest::put);
                long[] sums = new long[3];
                latest.values().forEach(count -> {
                    sums[0] += count.getInputs();
                    sums[1] += count.getAccepted() + count.getRejected() + count.getUndecodable();
                    sums[2] += count.getParked();
                });
                assertThat(sums).containsExactly(judged + parked, judged, parked);
            });
        }

        List<AuditRecord> audit() {
            List<AuditRecord> audit = new ArrayList<>();
            read(topics.audit()).forEach((key, record) -> audit.add(record));
            return audit;
        }

        List<AuditHead> heads() {
            List<AuditHead> heads = new ArrayList<>();
            read(topics.auditHead()).forEach((origin, head) -> heads.add(head));
            return heads;
        }

        private <V> Records<V> read(Topic<String, V> topic) {
            Map<String, Object> settings = Map.of(
                    "bootstrap.servers", brokers, "isolation.level", "read_committed", "enable.auto.commit", false);
            Records<V> records = new Records<>();
            try (KafkaConsumer<byte[], byte[]> consumer =
                    new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                List<TopicPartition> partitions = consumer.partitionsFor(topic.name()).stream()
                        .map(info -> new TopicPartition(info.topic(), info.partition()))
                        .toList();
                consumer.assign(partitions);
                consumer.seekToBeginning(partitions);
                Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
                while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                    consumer.poll(Duration.ofMillis(100))
                            .forEach(record -> records.add(
                                    new String(record.key(), java.nio.charset.StandardCharsets.UTF_8),
                                    topic.values().deserializer().deserialize(topic.name(), record.value())));
                }
            }
            return records;
        }
    }

    private static final class Records<V> {
        private final List<Map.Entry<String, V>> entries = new ArrayList<>();

        void add(String key, V value) {
            entries.add(Map.entry(key, value));
        }

        void forEach(java.util.function.BiConsumer<String, V> visitor) {
            entries.forEach(entry -> visitor.accept(entry.getKey(), entry.getValue()));
        }
    }
}
