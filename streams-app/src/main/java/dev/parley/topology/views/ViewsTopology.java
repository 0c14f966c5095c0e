package dev.parley.topology.views;

import dev.parley.config.ClusterKeys;
import dev.parley.config.ParleyConfig;
import dev.parley.topology.setup.ClampingTimestampExtractor;
import dev.parley.topology.setup.SkippingExceptionHandler;
import dev.parley.topology.setup.StreamsSettings;
import dev.parley.topology.setup.Topics;
import dev.parley.topology.traffic.TrafficTopology;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The stores that queries read. They are partitioned as their topics are, so that each of several processes holds a
 * share; each has a changelog, from which another process, or a standby, has it again. Records are processed again
 * after a crash; every put is therefore one that may be repeated.
 *
 * <p>The store of the checkpoints is in the same task as that of the audit: what is asked of a context is asked of
 * both, and a process has either both or none. The counts of the accounting and the redactions are few, and global
 * stores: every process has all.
 *
 * <p>A topic is the source of one node of a topology. So one store, {@link ViewStores#AUDIT}, holds all that is made of
 * the audit topic, and {@link TrafficTopology} is an application of its own.
 */
public final class ViewsTopology {

    private ViewsTopology() {}

    /**
     * Builds the topology; its application must be configured with {@link #config(ParleyConfig, String)}. Every topic
     * must exist before it starts, those of the audit and the checkpoints with the same number of partitions.
     *
     * @param topics what is shown
     * @param retention how long
     * @param listener receives every audit record that becomes visible
     */
    public static Topology build(Topics topics, ViewRetention retention, ViewsListener listener) {
        Topology topology = new Topology();
        view(
                topology,
                "audit",
                () -> new AuditView(topics, retention, listener),
                topics.audit().name());
        view(
                topology,
                "checkpoints",
                () -> new CheckpointView(topics.checkpoint()),
                topics.checkpoint().name());
        view(
                topology,
                "dead-letters",
                () -> new DeadLetterView(topics, retention),
                Topics.DEAD_LETTER_STAGES.stream()
                        .map(stage -> Topics.deadLetters(stage).name())
                        .toArray(String[]::new));
        // Both views have it, which makes them one sub-topology.
        topology.addStateStore(store(ViewStores.AUDIT), "audit-view", "checkpoints-view");
        topology.addStateStore(store(ViewStores.CHECKPOINTS), "checkpoints-view");
        topology.addStateStore(store(ViewStores.DEAD_LETTERS), "dead-letters-view");
        topology.addGlobalStore(
                store(ViewStores.ACCOUNTING).withLoggingDisabled(),
                "accounting-source",
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                topics.accounting().name(),
                "accounting-view",
                AccountingView::new);
        topology.addGlobalStore(
                store(ViewStores.REDACTIONS).withLoggingDisabled(),
                "redaction-source",
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                topics.redaction().name(),
                "redaction-view",
                () -> new RedactionView(topics.redaction()));
        return topology;
    }

    /**
     * Returns the Kafka Streams settings of the views.
     *
     * @param advertised host:port at which other instances reach the HTTP API of this one
     */
    public static Properties config(ParleyConfig config, String advertised) {
        Properties settings = StreamsSettings.outputReader(config, "views");
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.getInt(ClusterKeys.THREADS));
        settings.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.getInt(ClusterKeys.STANDBYS));
        settings.put(StreamsConfig.APPLICATION_SERVER_CONFIG, advertised);
        settings.putAll(config.kafkaClientSettings());
        settings.putAll(config());
        return settings;
    }

    /** Returns the settings without which {@link #build} does not work. */
    public static Map<String, Object> config() {
        return Map.of(
                // A record that somebody else wrote there and that cannot be read is logged and left out.
                StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG,
                true,
                StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
                SkippingExceptionHandler.class.getName(),
                // Every put may be repeated. Under exactly-once a process that was killed would have to restore all of
                // its stores, and could never start again on the state directory of its global store: Kafka Streams
                // finds that unclean and does not wipe it (KAFKA-21034).
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                StreamsConfig.AT_LEAST_ONCE,
                StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG),
                IsolationLevel.READ_COMMITTED.toString());
    }

    private static void view(
            Topology topology, String name, ProcessorSupplier<byte[], byte[], Void, Void> supplier, String... sources) {
        String source = name + "-source";
        topology.addSource(
                AutoOffsetReset.earliest(),
                source,
                ClampingTimestampExtractor.OF_OUTPUTS,
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                sources);
        topology.addProcessor(name + "-view", supplier, source);
    }

    private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray());
    }
}
