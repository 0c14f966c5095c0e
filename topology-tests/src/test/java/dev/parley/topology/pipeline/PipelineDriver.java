package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationItem;
import dev.parley.avro.DialogueState;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.log.AuditLog;
import dev.parley.log.LogNotes;
import dev.parley.log.SignedHeads;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.ClampingTimestampExtractor;
import dev.parley.topology.kafka.ProducerTimestampInterceptor;
import dev.parley.topology.kafka.SourceTopicMetadata;
import dev.parley.topology.kafka.UnreadableValues;
import dev.parley.topology.topics.Topics;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Runs the pipeline in Kafka's test driver with its real configuration and a registry in memory. Outputs remain
 * readable.
 */
public final class PipelineDriver implements AutoCloseable {
    /** Time of the first record without a time of its own: long enough ago that tests can go on from it by hours. */
    @SuppressWarnings("TimeInStaticInitializer")
    public static final Instant START = Instant.now().minus(Duration.ofDays(30)).truncatedTo(ChronoUnit.MILLIS);

    private static final String DELETED = "deleted-unread";

    private final AvroSerdes serdes;
    private final Topics topics;
    private final List<String> heard = new ArrayList<>();
    private final TopologyTestDriver driver;
    private final Map<String, TestInputTopic<byte[], byte[]>> inputs = new HashMap<>();
    private final Map<String, Long> offsets = new HashMap<>();
    private final Map<String, Output<?, ?>> outputs = new HashMap<>();
    private Instant clock = START;

    private PipelineDriver(
            ParleyConfig config,
            Protocols protocols,
            SourceTopicMetadata sources,
            boolean producerTimes,
            PipelineListener listener) {
        this.serdes = AvroSerdes.fromConfig(config.serdeSettings());
        this.topics = new Topics(TopicNames.DEFAULT, serdes);
        this.driver = new TopologyTestDriver(
                topology(settings(config, protocols, sources, producerTimes), serdes, listener(listener)),
                ParleyTopology.config(config),
                START);
    }

    /** A pipeline whose records have the broker's time. What a test changes of the configuration, by key. */
    public static PipelineDriver in(Path directory, Map<String, ?> changes) {
        return in(directory, changes, SourceTopicMetadata.NONE);
    }

    /** The same, with a listener. */
    public static PipelineDriver in(Path directory, Map<String, ?> changes, PipelineListener listener) {
        return new PipelineDriver(
                config(directory, changes), Protocols.STANDARD, SourceTopicMetadata.NONE, false, listener);
    }

    /** The same, with what the brokers know of the topics. */
    public static PipelineDriver in(Path directory, Map<String, ?> changes, SourceTopicMetadata sources) {
        return new PipelineDriver(
                config(directory, changes), Protocols.STANDARD, sources, false, PipelineListener.NONE);
    }

    /** A pipeline of some protocols. */
    public static PipelineDriver of(Protocols protocols, Path directory) {
        return new PipelineDriver(
                config(directory, Map.of()), protocols, SourceTopicMetadata.NONE, false, PipelineListener.NONE);
    }

    /** A pipeline whose records come from topics with CreateTime. */
    static PipelineDriver withProducerTimes(Path directory, Map<String, ?> changes) {
        return new PipelineDriver(
                config(directory, changes), Protocols.STANDARD, SourceTopicMetadata.NONE, true, PipelineListener.NONE);
    }

    private static ParleyConfig config(Path directory, Map<String, ?> changes) {
        Map<String, Object> values = new HashMap<>();
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, "unused:1");
        values.put(ParleyConfig.REGISTRY_URL, "mock://" + UUID.randomUUID());
        values.put(ParleyConfig.STATE_DIR, directory.toString());
        values.putAll(changes);
        return new ParleyConfig(values);
    }

    /** The driver has no consumer, so what its interceptor does is done before the extractor. */
    private PipelineSettings settings(
            ParleyConfig config, Protocols protocols, SourceTopicMetadata sources, boolean producerTimes) {
        PipelineSettings settings = PipelineSettings.of(config, protocols)
                .with(
                        sources,
                        RestoredLogs.NONE,
                        () -> published(LogHeadSettings.of(config).notes()));
        ClampingTimestampExtractor recordTime = (ClampingTimestampExtractor) settings.recordTime();
        return new PipelineSettings(
                settings.stages(),
                settings.keyedByConversation(),
                settings.heads(),
                settings.maxRedactions(),
                settings.inputs(),
                (record, partitionTime) -> {
                    if (record.headers().lastHeader(DELETED) != null) {
                        // Kafka Streams drops it.
                        return -1;
                    }
                    long timestamp = record.timestamp();
                    return recordTime.extract(
                            producerTimes ? ProducerTimestampInterceptor.marked(timestamp) : timestamp,
                            partitionTime,
                            System.currentTimeMillis());
                },
                settings.sources(),
                settings.restoredLogs(),
                settings.publishedHeads());
    }

    /** The heads that the pipeline has published. */
    private CompletableFuture<Optional<SortedMap<Integer, dev.parley.log.tlog.TreeHead>>> published(LogNotes notes) {
        SignedHeads signed = new SignedHeads(notes);
        long completeTo = heads().stream()
                .mapToLong(head -> head.value().getTime().toEpochMilli())
                .min()
                .orElse(0);
        heads().forEach(head -> signed.add(head.value(), completeTo));
        return CompletableFuture.completedFuture(Optional.of(signed.heads()));
    }

    private PipelineListener listener(PipelineListener other) {
        return new PipelineListener() {
            @Override
            public void recorded(Protocol protocol, Verdict verdict, Stage stage, String code) {
                heard.add(protocol + " " + verdict + " " + stage + " " + code);
                other.recorded(protocol, verdict, stage, code);
            }

            @Override
            public void recorded(AuditRecord audit, Headers headers) {
                other.recorded(audit, headers);
            }

            @Override
            public void signing(int partition, boolean signs) {
                other.signing(partition, signs);
            }
        };
    }

    /** What an observer heard of verdicts, a line each: protocol, verdict, stage and code. */
    List<String> heard() {
        return heard;
    }

    /** The topology with checks of restored logs. */
    static org.apache.kafka.streams.Topology topology(
            ParleyConfig config, AvroSerdes serdes, RestoredLogs logs, PipelineListener pipelineListener) {
        return topology(
                PipelineSettings.of(config).with(SourceTopicMetadata.NONE, logs, PublishedHeads.NONE),
                serdes,
                pipelineListener);
    }

    public static org.apache.kafka.streams.Topology topology(
            ParleyConfig config, AvroSerdes serdes, PipelineListener pipelineListener) {
        return topology(PipelineSettings.of(config), serdes, pipelineListener);
    }

    private static org.apache.kafka.streams.Topology topology(
            PipelineSettings settings, AvroSerdes serdes, PipelineListener pipelineListener) {
        return new ParleyTopology(new Topics(TopicNames.DEFAULT, serdes), serdes, settings, pipelineListener).build();
    }

    /** Sends a record and says where it stands. */
    public Source send(InputRecord wire) {
        Instant time = wire.time() != null ? wire.time() : clock;
        clock = time.isAfter(clock) ? time : clock;
        clock = clock.plusSeconds(1);
        inputs.computeIfAbsent(
                        wire.topic(),
                        name -> driver.createInputTopic(name, new ByteArraySerializer(), new ByteArraySerializer()))
                .pipeInput(new TestRecord<>(wire.key(), wire.value(), wire.headers(), time));
        long offset = offsets.merge(wire.topic(), 1L, Long::sum) - 1;
        return new Source(wire.topic(), 0, offset, time, null);
    }

    /** Sends a record that is deleted before it is read. */
    void sendDeleted(InputRecord wire) {
        send(wire.header(DELETED, ""));
    }

    /** Goes on by so much in the time of the records. */
    public void later(Duration duration) {
        clock = clock.plus(duration);
    }

    /** Goes on by so much on the wall clock. */
    public void waitFor(Duration duration) {
        driver.advanceWallClockTime(duration);
    }

    public List<TestRecord<String, AuditRecord>> auditRecords() {
        return output(
                topics.audit().name(),
                new StringDeserializer(),
                topics.audit().values().deserializer());
    }

    /** Sends what Parley itself would send to have a payload redacted. */
    public Source redact(Redaction redaction) {
        return redact(redaction, redaction.getChain());
    }

    /** The same under some key. */
    Source redact(Redaction redaction, String key) {
        return send(InputRecord.bytes(written(redaction))
                .to(TopicNames.DEFAULT.redaction())
                .key(key));
    }

    byte[] written(Redaction redaction) {
        return topics.redaction().write(redaction);
    }

    public List<TestRecord<String, AuditHead>> heads() {
        return output(
                topics.auditHead().name(),
                new StringDeserializer(),
                topics.auditHead().values().deserializer());
    }

    List<TestRecord<String, AuditTile>> tiles() {
        return output(
                topics.auditTile().name(),
                new StringDeserializer(),
                topics.auditTile().values().deserializer());
    }

    public List<AuditRecord> audit() {
        return auditRecords().stream().map(TestRecord::value).toList();
    }

    /** The audit record of one input record, the only one there is. */
    public AuditRecord auditOf(Source source) {
        List<AuditRecord> found = audit().stream()
                .filter(record -> record.getSource().equals(source))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(source + " was audited " + found.size() + " times: " + found);
        }
        return found.get(0);
    }

    public List<TestRecord<String, AgentMessage>> messages() {
        return output(
                topics.message().name(),
                new StringDeserializer(),
                topics.message().values().deserializer());
    }

    public List<TestRecord<String, Checkpoint>> checkpoints() {
        return output(
                topics.checkpoint().name(),
                new StringDeserializer(),
                topics.checkpoint().values().deserializer());
    }

    List<TestRecord<String, ParkedItem>> parkedItems() {
        return output(
                topics.parkedItem().name(),
                new StringDeserializer(),
                topics.parkedItem().values().deserializer());
    }

    public List<TestRecord<String, Accounting>> accounting() {
        return output(
                topics.accounting().name(),
                new StringDeserializer(),
                topics.accounting().values().deserializer());
    }

    public List<TestRecord<byte[], byte[]>> deadLetters(Stage stage) {
        return output(
                TopicNames.DEFAULT.deadLetters(stage),
                Serdes.ByteArray().deserializer(),
                Serdes.ByteArray().deserializer());
    }

    /** All dead letters, stage after stage. */
    List<TestRecord<byte[], byte[]>> deadLetters() {
        List<TestRecord<byte[], byte[]>> all = new ArrayList<>();
        TopicNames.DEAD_LETTER_STAGES.forEach(stage -> all.addAll(deadLetters(stage)));
        return all;
    }

    KeyValueStore<String, Checkpoint> checkpointStore() {
        return driver.getKeyValueStore(PipelineStores.CHECKPOINTS);
    }

    KeyValueStore<String, Accounting> inputStore() {
        return driver.getKeyValueStore(PipelineStores.INPUTS);
    }

    KeyValueStore<String, ParkedPatch> parkedStore() {
        return driver.getKeyValueStore(PipelineStores.PARKED);
    }

    /** Replaces stored bytes, as a restore does with those that somebody else wrote to the changelog. */
    void damage(String store, String key) {
        damage(store, key, UnreadableValues.refused());
    }

    /** Replaces stored bytes by these, as a restore without a key for codes does; null removes them. */
    void damage(String store, String key, byte[] value) {
        raw(store).put(Bytes.wrap(key.getBytes(StandardCharsets.UTF_8)), value);
    }

    /** The keys of a store, also those of unreadable values. */
    List<String> keys(String store) {
        List<String> keys = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> all = raw(store).all()) {
            all.forEachRemaining(entry -> keys.add(new String(entry.key.get(), StandardCharsets.UTF_8)));
        }
        return keys;
    }

    @SuppressWarnings("unchecked")
    private KeyValueStore<Bytes, byte[]> raw(String store) {
        Object metered = driver.getKeyValueStore(store);
        return ((WrappedStateStore<KeyValueStore<Bytes, byte[]>, ?, ?>) metered).wrapped();
    }

    public KeyValueStore<String, DialogueState> conversationStore() {
        return driver.getKeyValueStore(PipelineStores.CONVERSATIONS);
    }

    KeyValueStore<String, ConversationItem> itemStore() {
        return driver.getKeyValueStore(PipelineStores.ITEMS);
    }

    /** The log of the only task, as it is now. */
    public AuditLog log() {
        return new AuditLog(0, new KafkaSortedStore<>(driver.<String, byte[]>getKeyValueStore(PipelineStores.LOG)));
    }

    public Set<String> storeNames() {
        return driver.getAllStateStores().keySet();
    }

    /** What lies below a store, as bytes: what its changelog holds, and what it is restored from. */
    @SuppressWarnings("unchecked")
    public KeyValueStore<Bytes, byte[]> bytesOf(String store) {
        StateStore inner = driver.getAllStateStores().get(store);
        while (inner instanceof WrappedStateStore<?, ?, ?> wrapped) {
            inner = wrapped.wrapped();
        }
        return (KeyValueStore<Bytes, byte[]>) inner;
    }

    public SchemaRegistryClient registry() {
        return serdes.registry();
    }

    /**
     * Bytes in the changelogs since the last call: those of values, and twice those of their keys. The deletion of an
     * entry is so counted with the entry, which is deleted once at most.
     */
    long changelogBytes() {
        long bytes = 0;
        for (String topic : driver.producedTopicNames()) {
            if (topic.endsWith("-changelog")) {
                for (TestRecord<byte[], byte[]> record : driver.createOutputTopic(
                                topic,
                                Serdes.ByteArray().deserializer(),
                                Serdes.ByteArray().deserializer())
                        .readRecordsToList()) {
                    bytes += record.value() == null ? 0 : 2L * record.key().length + record.value().length;
                }
            }
        }
        return bytes;
    }

    /** Names of the topics that were written. */
    Set<String> writtenTopics() {
        return driver.producedTopicNames();
    }

    private <K, V> List<TestRecord<K, V>> output(String topic, Deserializer<K> keys, Deserializer<V> values) {
        @SuppressWarnings("unchecked")
        Output<K, V> output = (Output<K, V>) outputs.computeIfAbsent(
                topic, name -> new Output<>(driver.createOutputTopic(name, keys, values), new ArrayList<>()));
        return output.all();
    }

    @Override
    public void close() {
        driver.close();
        try {
            serdes.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Output<K, V>(TestOutputTopic<K, V> topic, List<TestRecord<K, V>> seen) {

        List<TestRecord<K, V>> all() {
            seen.addAll(topic.readRecordsToList());
            return seen;
        }
    }
}
