package dev.parley.topology.views;

import dev.parley.audit.InputPartition;
import dev.parley.avro.Accounting;
import dev.parley.log.LogNoteReader;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.ViewsKeys;
import dev.parley.topology.kafka.ClampingTimestampExtractor;
import dev.parley.topology.kafka.SkippingExceptionHandler;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewStores;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The application that materializes the stores for queries. They are partitioned as their topics, so each instance
 * holds a share, and each has a changelog for restores and standbys. Records are processed again after a crash, so
 * every put may be repeated.
 *
 * <p>The checkpoint store, which also has the parked patches, is in the same task as the audit store, so one instance
 * answers a query about a context.
 * Accounting, redactions and redrives are small and therefore global stores: every instance has all of them.
 *
 * <p>Only one source node of a topology can read a topic. So one store, {@link ViewStores#AUDIT}, holds all that is
 * derived from the audit topic, and {@link TrafficTopology} is a separate application.
 */
public final class ViewsTopology {
    private static final int GLOBAL_FETCH_WAIT_MS = 1_000;

    private static final ByteArrayDeserializer BYTES = new ByteArrayDeserializer();

    private final Topology topology = new Topology();
    private final int partitions;

    private ViewsTopology(int partitions) {
        this.partitions = partitions;
    }

    /**
     * Builds the topology, to be run with {@link #config(ParleyConfig, String)}. Every topic must exist at the start.
     * The audit, checkpoint, parked-item, head and tile topics must have the same number of partitions.
     *
     * @param topics topics that it reads
     * @param partitions number of partitions of the audit topic
     * @param notes creates readers of the heads that count
     * @param searchable the content that every reader may find in the search index; if empty, an index is deleted
     * @param listener receives every audit record that becomes visible
     */
    public static Topology build(
            Topics topics,
            int partitions,
            ViewRetention retention,
            Supplier<LogNoteReader> notes,
            Optional<PublicContent> searchable,
            ViewsListener listener) {
        ViewsTopology views = new ViewsTopology(partitions);
        String audit = topics.audit().name();
        views.add("audit", () -> new AuditView(topics, partitions, retention, searchable, listener), audit);
        views.add("checkpoints", ViewStores.CHECKPOINTS, new CheckpointView.Writer(topics.checkpoint()));
        views.add("parked-items", ViewStores.CHECKPOINTS, new ParkedItemView.Writer(topics.parkedItem()));
        String[] deadLetters = topics.names().deadLetters().toArray(String[]::new);
        views.add("dead-letters", () -> new DeadLetterView.Writer(topics, retention), deadLetters);
        for (Statistic statistic : Statistic.IN_VIEWS) {
            String counts = statistic.topic(topics).name();
            views.add(statistic.text(), () -> new StatisticView.Writer(statistic, topics, retention), counts);
        }
        views.add("open-items", ViewStores.STATISTICS, new OpenItemView.Writer(topics.openItem()));
        views.add(
                "log-heads",
                () -> new StoreView(ViewStores.LOG, partitions, LogView.headWriter(topics.auditHead(), notes.get())),
                topics.auditHead().name());
        views.add("log-tiles", ViewStores.LOG, LogView.tileWriter(topics.auditTile()));
        Topology topology = views.topology;
        // The shared store makes the views one sub-topology.
        topology.addStateStore(store(ViewStores.AUDIT), "audit-view", "checkpoints-view");
        topology.addStateStore(store(ViewStores.LOG), "log-heads-view", "log-tiles-view");
        topology.addStateStore(store(ViewStores.CHECKPOINTS), "checkpoints-view", "parked-items-view");
        topology.addStateStore(store(ViewStores.DEAD_LETTERS), "dead-letters-view");
        topology.addStateStore(store(ViewStores.STATISTICS), "open-items-view");
        Statistic.IN_VIEWS.forEach(statistic ->
                topology.connectProcessorAndStateStores(statistic.text() + "-view", ViewStores.STATISTICS));
        views.addGlobal("accounting", ViewStores.ACCOUNTING, new CountWriter(topics.accounting()));
        views.addGlobal("redaction", ViewStores.REDACTIONS, new RedactionView.Writer(topics.redaction()));
        views.addGlobal("redrive", ViewStores.REDRIVES, new LatestWriter(topics.redrive()));
        return topology;
    }

    /**
     * Returns the Kafka Streams settings of the views.
     *
     * @param advertised host:port at which other instances reach the HTTP API of this one
     */
    public static Properties config(ParleyConfig config, String advertised) {
        Properties settings = StreamsSettings.outputReader(config, "views");
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.getInt(ViewsKeys.THREADS));
        settings.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.getInt(ViewsKeys.STANDBYS));
        settings.put(StreamsConfig.APPLICATION_SERVER_CONFIG, advertised);
        // It never pauses a partition, so none has to wait until an idle broker answers.
        settings.put(StreamsConfig.globalConsumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), GLOBAL_FETCH_WAIT_MS);
        settings.putAll(config.kafkaClientSettings());
        settings.putAll(config());
        StreamsSettings.addMac(config, settings);
        return settings;
    }

    /** Returns the settings that {@link #build} requires. */
    public static Map<String, Object> config() {
        return Map.of(
                // Skips and logs unreadable records of other writers.
                StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG,
                true,
                StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
                SkippingExceptionHandler.class.getName(),
                // Every put may be repeated. With exactly-once, a killed instance would restore all of its stores, and
                // could not start again on its state directory: Kafka Streams finds the global store unclean and does
                // not wipe it (KAFKA-21034).
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                StreamsConfig.AT_LEAST_ONCE,
                StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG),
                IsolationLevel.READ_COMMITTED.toString());
    }

    private void add(String name, String store, StoreView.Writer writer) {
        add(name, () -> new StoreView(store, partitions, writer), writer.topic().name());
    }

    private void add(String name, ProcessorSupplier<byte[], byte[], Void, Void> supplier, String... sources) {
        TimestampExtractor times = ClampingTimestampExtractor.OF_OUTPUTS;
        topology.addSource(AutoOffsetReset.earliest(), name + "-source", times, BYTES, BYTES, sources);
        topology.addProcessor(name + "-view", supplier, name + "-source");
    }

    private void addGlobal(String name, String store, StoreView.Writer writer) {
        StoreBuilder<?> builder = store(store).withLoggingDisabled();
        String topic = writer.topic().name();
        ProcessorSupplier<byte[], byte[], Void, Void> supplier = () -> new StoreView(store, 1, writer);
        topology.addGlobalStore(builder, name + "-source", BYTES, BYTES, topic, name + "-view", supplier);
    }

    /** Stores the latest value of a key. A null value removes its key, as in the compacted topic. */
    private record LatestWriter(Topic<?, ?> topic) implements StoreView.Writer {
        @Override
        public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store, Consumer<String> chain) {
            if (record.key() != null) {
                store.put(Bytes.wrap(record.key()), record.value());
            }
        }
    }

    /**
     * Stores the latest counts of a task. It rejects those that are unreadable or cannot be of the partition in the
     * key; the pipeline publishes all counts again.
     */
    private record CountWriter(Topic<String, Accounting> topic) implements StoreView.Writer {
        @Override
        public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store, Consumer<String> chain) {
            if (record.key() != null && record.value() != null) {
                Accounting counts = RegistryRetry.read(topic, record.value());
                String input = new InputPartition(counts.getTopic(), counts.getPartition()) + "@";
                if (!new String(record.key(), StandardCharsets.UTF_8).startsWith(input)
                        || LongStream.concat(
                                        counts.getInputsByLog().stream().mapToLong(Long::longValue),
                                        LongStream.of(
                                                counts.getInputs(),
                                                counts.getAccepted(),
                                                counts.getRejected(),
                                                counts.getFlagged(),
                                                counts.getUndecodable(),
                                                counts.getParked(),
                                                counts.getUnread(),
                                                counts.getReread()))
                                .anyMatch(count -> count < 0)) {
                    throw new UnreadableRecordException(
                            "The counts are negative, or not those of the partition in the key");
                }
            }
            new LatestWriter(topic).write(record, store, chain);
        }
    }

    private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray());
    }
}
