package dev.parley.topology.analytics;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.TrackedItems;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.CheckedRestores;
import dev.parley.topology.kafka.StoredValues;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Counts audited messages per minute, for the analytics topics: traffic, violations, edges between agents, times from
 * request to result, patches, and changes of definitions; and lists the requests that await their results. A message's
 * time is the record time of its input. Each task counts the audit records of one partition, in rows of its own, so
 * that no count passes through another topic. Each row is written once, when its minute and the grace period are over
 * in stream time, or by the clock after a pause of the traffic. A later message counts as late in the current minute;
 * the metric late-total of the group stream-traffic-metrics is their number.
 */
public final class TrafficTopology {

    /** Window of a count. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** Store of the open items, by chain and sequence. */
    public static final String OPEN_ITEMS = "traffic-open-items";

    /** Store of the open minutes: counts by minute and dimensions. */
    public static final String COUNTS = "traffic-counts";

    /** Serde of counts: eight bytes for each number. */
    public static final Serde<long[]> COUNTS_SERDE = CountsSerde.COUNTS;

    /** Serde of the store of open items. */
    public static final Serde<TrackedItems> ITEMS = items().serde();

    /** Checks of the stores by name. No record may be counted again, so a value that cannot be read is lost. */
    public static final Map<String, CheckedRestores.Store> CHECKS = Map.of(
            COUNTS,
            new CheckedRestores.Store(Set.of(), MinuteCounts::check),
            OPEN_ITEMS,
            new CheckedRestores.Store(Set.of(), (key, value) -> items().decode(value)));

    static final String OPEN_ITEM_SINK = "open-item-sink";

    private static final String SOURCE = "traffic-audit-source";
    private static final String PROCESSOR = "traffic-count";

    /** Time between commits, unless the operator sets it. Each commit writes all counts that changed since the last. */
    private static final int COMMIT_INTERVAL_MS = 1_000;

    private TrafficTopology() {}

    private static StoredValues<TrackedItems> items() {
        return new StoredValues<>(TrackedItems.class);
    }

    /** Returns the Kafka Streams settings of the traffic counts. */
    public static Properties config(ParleyConfig config) {
        Properties settings = StreamsSettings.outputReader(config, "traffic");
        settings.putIfAbsent(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_INTERVAL_MS);
        StreamsSettings.addMac(config, settings);
        return settings;
    }

    /**
     * Builds the topology. It writes rows keyed by the audit partition and their dimensions.
     *
     * @param topics it reads the audit topic and writes the analytics topics
     * @param partitions number of partitions of the audit topic
     * @param settings grace period and bounds
     */
    public static Topology build(Topics topics, int partitions, TrafficSettings settings) {
        Topology topology = new Topology();
        topology.addSource(
                AutoOffsetReset.earliest(),
                SOURCE,
                TrafficTopology::timeOf,
                topics.audit().keys().deserializer(),
                topics.audit().values().deserializer(),
                topics.audit().name());
        topology.addProcessor(PROCESSOR, () -> new TrafficCountProcessor(partitions, settings), SOURCE);
        // The caches get one record per key and commit into the changelogs, not one per message.
        topology.addStateStore(store(COUNTS, COUNTS_SERDE), PROCESSOR);
        topology.addStateStore(store(OPEN_ITEMS, ITEMS), PROCESSOR);
        for (Statistic statistic : Statistic.values()) {
            addSink(topology, sink(statistic), statistic.topic(topics));
        }
        addSink(topology, OPEN_ITEM_SINK, topics.openItem());
        return topology;
    }

    /** Returns the sink of the rows of a statistic. */
    static String sink(Statistic statistic) {
        return statistic.text() + "-sink";
    }

    private static void addSink(Topology topology, String name, Topic<String, ?> topic) {
        topology.addSink(
                name, topic.name(), topic.keys().serializer(), topic.values().serializer(), PROCESSOR);
    }

    private static <V> StoreBuilder<KeyValueStore<String, V>> store(String name, Serde<V> values) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.String(), values)
                .withCachingEnabled();
    }

    /** Returns the record time of the input, at most the present, so that no record closes an open minute early. */
    private static long timeOf(ConsumerRecord<Object, Object> record, long partitionTime) {
        long time = record.value() instanceof AuditRecord audit
                ? audit.getSource().getTimestamp().toEpochMilli()
                : partitionTime;
        return Math.max(0, Math.min(time, System.currentTimeMillis()));
    }
}
