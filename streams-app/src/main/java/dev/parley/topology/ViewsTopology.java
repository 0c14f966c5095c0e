package dev.parley.topology;

import dev.parley.avro.Stage;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.LogAndContinueProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The stores that queries read, as global stores: every instance has all of them, and their source topic is their changelog. Kafka Streams
 * runs the processors below on restore too, so what a store holds never depends on how it came to hold it. Records are processed again
 * after a crash; every put is therefore one that may be repeated.
 *
 * <p>A topic is the source of one node of a topology. So one store, {@link ViewStores#AUDIT}, holds all that is made of the audit topic,
 * and {@link TrafficTopology} is an application of its own.
 */
public final class ViewsTopology {

    private ViewsTopology() {}

    /**
     * Builds the topology; it has no stream tasks, and its application must be configured with {@link #config}. Every topic must exist before
     * it starts.
     *
     * @param topics what is shown
     * @param observer hears of every audit record that is shown
     */
    public static Topology build(Topics topics, Observer observer) {
        Topology topology = new Topology();
        view(topology, "audit", ViewStores.AUDIT, topics.audit().name(), () -> new AuditView(topics.audit(), observer));
        view(
                topology,
                "checkpoints",
                ViewStores.CHECKPOINTS,
                topics.checkpoint().name(),
                () -> new CheckpointView(topics.checkpoint()));
        view(topology, "accounting", ViewStores.ACCOUNTING, topics.accounting().name(), AccountingView::new);
        for (Stage stage : ViewStores.DEAD_LETTER_STAGES) {
            view(
                    topology,
                    "dead-letters-" + stage.name().toLowerCase(Locale.ROOT),
                    ViewStores.deadLetters(stage),
                    Topics.deadLetters(stage).name(),
                    () -> new DeadLetterView(stage));
        }
        return topology;
    }

    /** What the application of this topology must be configured with, whatever else it is; {@link #build} cannot do it. */
    public static Map<String, Object> config() {
        return Map.of(
                KeylessRecords.CONFIG,
                KeylessRecords.class.getName(),
                // A record that somebody else wrote there and that cannot be read is logged and left out.
                StreamsConfig.PROCESSING_EXCEPTION_HANDLER_GLOBAL_ENABLED_CONFIG,
                true,
                StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
                LogAndContinueProcessingExceptionHandler.class.getName(),
                // The views write nothing, and every put may be repeated. Under exactly-once a process that was killed
                // could never start again on its state
                // directory: Kafka Streams finds the global stores unclean and does not wipe them (KAFKA-21034).
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                StreamsConfig.AT_LEAST_ONCE,
                StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG),
                IsolationLevel.READ_COMMITTED.toString());
    }

    private static void view(
            Topology topology,
            String name,
            String store,
            String topic,
            ProcessorSupplier<byte[], byte[], Void, Void> supplier) {
        StoreBuilder<KeyValueStore<Bytes, byte[]>> builder = Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(store), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled();
        topology.addGlobalStore(
                builder,
                name + "-source",
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                topic,
                name + "-view",
                supplier);
    }
}
