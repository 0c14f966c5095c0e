package dev.parley.topology.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.log.AuditLog;
import dev.parley.log.KeyFiles;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.testing.NewTopicProducers;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.BrokerTopicMetadata;
import dev.parley.topology.kafka.MacProducerInterceptor;
import dev.parley.topology.kafka.RecordMac;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.TopicSetup;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;

/** A deployment with a key on the shared cluster, whose pipeline runs in this process or in others. */
final class SigningDeployment implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    final TopicNames names = SharedCluster.newDeployment();
    final Map<String, String> values = new HashMap<>();
    final ParleyConfig config;
    final AvroSerdes serdes;
    final Topics topics;
    private final Path directory;
    private final TopicReader reader;

    SigningDeployment(Path directory, int partitions) throws Exception {
        this.directory = directory;
        Path key = directory.resolve("log.key");
        Files.writeString(key, KeyFiles.privatePem(KeyFiles.newPair()));
        replaceInternalKey();
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, SharedCluster.brokers());
        values.put(ParleyConfig.REGISTRY_URL, SharedCluster.registry());
        values.put(ParleyConfig.PREFIX, names.prefix());
        values.put(ParleyConfig.PARTITIONS, Integer.toString(partitions));
        values.put(ParleyConfig.REPLICATION, "1");
        values.put(AuditKeys.HEADS_INTERVAL_MS, "200");
        values.put(AuditKeys.HEADS_KEY_FILES, key.toString());
        config = withNewState();
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(config))) {
            if (!TopicSetup.of(config).createAndValidate(admin).isEmpty()) {
                throw new AssertionError("the topics of " + names.prefix() + " are invalid");
            }
        }
        serdes = AvroSerdes.fromConfig(config.serdeSettings());
        topics = new Topics(names, serdes);
        reader = new TopicReader(StreamsSettings.clientSettings(config));
    }

    /** Replaces the key of the internal records. */
    void replaceInternalKey() throws IOException {
        Path internal = directory.resolve(UUID.randomUUID() + ".key");
        Files.writeString(internal, KeyFiles.privatePem(KeyFiles.newPair()));
        values.put(AuditKeys.INTERNAL_KEY_FILES, internal.toString());
    }

    /** Puts a new key of the internal records before the old one. */
    void addInternalKey() throws IOException {
        String old = values.get(AuditKeys.INTERNAL_KEY_FILES);
        replaceInternalKey();
        values.merge(AuditKeys.INTERNAL_KEY_FILES, old, (added, before) -> added + "," + before);
    }

    Map<String, String> valuesWithoutInternalKey() {
        Map<String, String> without = new HashMap<>(values);
        without.remove(AuditKeys.INTERNAL_KEY_FILES);
        return without;
    }

    /** The configuration with an empty state directory, so that stores are restored from their changelogs. */
    ParleyConfig withNewState() {
        Map<String, Object> changed = new HashMap<>(values);
        changed.put(
                ParleyConfig.STATE_DIR,
                directory.resolve(UUID.randomUUID().toString()).toString());
        return new ParleyConfig(changed);
    }

    /** A pipeline, and what it said of its logs. */
    static final class Instance implements AutoCloseable {
        final Map<Integer, Boolean> signing = new ConcurrentHashMap<>();
        private final BrokerTopicMetadata sources;
        private final BrokerRestoredLogs checks;
        private final BrokerPublishedHeads published;
        private final KafkaStreams streams;

        private Instance(SigningDeployment deployment, ParleyConfig config) {
            sources = new BrokerTopicMetadata(StreamsSettings.clientSettings(config));
            checks = BrokerRestoredLogs.of(config, deployment.serdes, sources).orElseThrow();
            published = new BrokerPublishedHeads(config, deployment.serdes);
            PipelineListener listener = new PipelineListener() {
                @Override
                public void recorded(
                        dev.parley.avro.Protocol protocol,
                        dev.parley.avro.Verdict verdict,
                        dev.parley.avro.Stage stage,
                        String code) {
                    // The topics have it.
                }

                @Override
                public void signing(int partition, boolean signs) {
                    signing.put(partition, signs);
                }
            };
            streams = new KafkaStreams(
                    new ParleyTopology(
                                    deployment.topics,
                                    deployment.serdes,
                                    PipelineSettings.of(config).with(sources, checks, published),
                                    listener)
                            .build(),
                    ParleyTopology.config(config),
                    sources);
            streams.start();
        }

        @Override
        public void close() {
            streams.close(CloseOptions.timeout(TIMEOUT)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
            checks.close();
            published.close();
            sources.close();
        }
    }

    Instance start() {
        return new Instance(this, withNewState());
    }

    Producer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> settings = NewTopicProducers.settings(Map.of("bootstrap.servers", SharedCluster.brokers()));
        settings.putAll(more);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** A producer of an insider who has the key of the internal records, but not that of the heads. */
    Producer<byte[], byte[]> producerWithInternalKey() {
        return producer(Map.of(
                ProducerConfig.INTERCEPTOR_CLASSES_CONFIG,
                MacProducerInterceptor.class.getName(),
                RecordMac.CONFIG,
                RecordMac.of(config).orElseThrow()));
    }

    /** Sends records and returns when the broker has them. */
    void send(List<InputRecord> records) {
        try (Producer<byte[], byte[]> producer = producer(Map.of())) {
            records.forEach(record -> producer.send(wire(record)));
            producer.flush();
        }
    }

    ProducerRecord<byte[], byte[]> wire(InputRecord record) {
        return new ProducerRecord<>(names.wire(), null, null, record.key(), record.value(), record.headers());
    }

    <V> List<V> read(Topic<String, V> topic) {
        List<V> all = new ArrayList<>();
        readCommitted(topic.name(), (partition, key, value) -> all.add(topic.read(value)));
        return all;
    }

    List<AuditRecord> audit() {
        return read(topics.audit());
    }

    List<AuditHead> heads() {
        return read(topics.auditHead());
    }

    /** The size in the last head of a log; -1 without one. */
    long headSize(int partition) {
        return heads().stream()
                .filter(head -> head.getPartition() == partition)
                .mapToLong(AuditHead::getSize)
                .max()
                .orElse(-1);
    }

    /** Takes a committed record. */
    interface Visitor {
        void accept(int partition, String key, byte[] value);
    }

    /** The stable offsets of the audit topic together: as many committed records, and the markers of transactions. */
    long committed() {
        return reader.stableEnds(reader.partitions(List.of(topics.audit().name()))).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Reads what is committed now, and does not wait for open transactions. */
    void readCommitted(String topic, Visitor visitor) {
        List<TopicPartition> partitions = reader.partitions(List.of(topic));
        reader.read(
                reader.begins(partitions),
                reader.stableEnds(partitions),
                record -> visitor.accept(record.partition(), new String(record.key(), UTF_8), record.value()));
    }

    /** The time at which the broker received an input of partition 0; empty if it is not committed. */
    Optional<Instant> timeOf(long offset) {
        TopicPartition partition = new TopicPartition(names.wire(), 0);
        List<Instant> found = new ArrayList<>();
        reader.read(Map.of(partition, offset), reader.stableEnds(List.of(partition)), record -> {
            if (record.offset() == offset) {
                found.add(Instant.ofEpochMilli(record.timestamp()));
            }
        });
        return found.stream().findFirst();
    }

    String changelog(String store) {
        return config.getString(ParleyConfig.APPLICATION_ID) + "-" + store + "-changelog";
    }

    /** The committed logs, by partition, as a task restores them. */
    Map<Integer, AuditLog> logs() {
        Map<Integer, MemoryStore<byte[]>> stores = new TreeMap<>();
        readCommitted(changelog(PipelineStores.LOG), (partition, key, value) -> {
            MemoryStore<byte[]> store = stores.computeIfAbsent(partition, number -> new MemoryStore<>());
            if (value == null) {
                store.delete(key);
            } else {
                store.put(key, value);
            }
        });
        Map<Integer, AuditLog> logs = new TreeMap<>();
        stores.forEach((partition, store) -> logs.put(partition, new AuditLog(partition, store)));
        return logs;
    }

    @Override
    public void close() {
        reader.close();
        try {
            serdes.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
