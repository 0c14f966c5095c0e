package dev.parley.topology.analytics;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.PatchCount;
import dev.parley.avro.TrackedItems;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StoredValues;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.time.Duration;
import java.util.Properties;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Counts audited messages per minute, for the analytics topics: traffic, violations, edges between agents, times from
 * request to result, patches, and changes of definitions; and lists the requests that await their results. A message's
 * time is the record time of its input. Each task counts the audit records that it reads, and the repartition
 * brings its counts together with those of other tasks, so neither a frequent sender nor the number of messages loads
 * it. Each row is written once, when its minute and the grace period are over in stream time, or by the clock after a
 * pause of the traffic. A later message counts as late in the current minute; the metric late-total of the group
 * stream-traffic-metrics is their number.
 */
public final class TrafficTopology {

    /** Window of a count. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** Store of the counts of a task that are not forwarded yet: counts by minute and dimensions. */
    public static final String PARTIALS = "traffic-partials";

    /** Store of the open items: those of a conversation, by chain. */
    public static final String OPEN_ITEMS = "traffic-open-items";

    /** Store of the open minutes: counts by minute and dimensions. */
    public static final String STORE = "traffic-windows";

    /** Serde of counts in both stores: eight bytes for each number. */
    public static final Serde<long[]> COUNTS = CountsSerde.COUNTS;

    /** Serde of the store of open items. */
    public static final Serde<TrackedItems> ITEMS = new StoredValues<>(TrackedItems.class).serde();

    /** Time between commits, unless the operator sets it. Each commit writes all counts that changed since the last. */
    private static final int COMMIT_INTERVAL_MS = 1_000;

    private TrafficTopology() {}

    /** Returns the Kafka Streams settings of the traffic counts. */
    public static Properties config(ParleyConfig config) {
        Properties settings = StreamsSettings.outputReader(config, "traffic");
        settings.putIfAbsent(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_INTERVAL_MS);
        return settings;
    }

    /**
     * Builds the topology. It writes rows keyed by their dimensions.
     *
     * @param topics it reads the audit topic and writes the analytics topics
     * @param settings grace period and bounds
     */
    public static Topology build(Topics topics, TrafficSettings settings) {
        StreamsBuilder builder = new StreamsBuilder();
        // The cache of the first gets one record per key and commit into the changelog, not one per message. The second
        // has few changes per key; in a cache, they would displace those of the first, which then writes each one.
        builder.addStateStore(counts(PARTIALS).withCachingEnabled());
        builder.addStateStore(counts(STORE));
        builder.addStateStore(
                Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(OPEN_ITEMS), Serdes.String(), ITEMS)
                        .withCachingEnabled());
        KStream<String, PartialResult> partials = builder.stream(
                        topics.audit().name(),
                        topics.audit()
                                .consumedAs("traffic-audit-source")
                                .withTimestampExtractor(TrafficTopology::timeOf))
                .filter((chain, audit) -> audit != null, Named.as("traffic-audited"))
                .process(() -> new PartialCountProcessor(settings), Named.as("traffic-partial"), PARTIALS, OPEN_ITEMS);
        partials.filter((key, result) -> result instanceof PartialResult.Item, Named.as("is-open-item"))
                .mapValues(result -> ((PartialResult.Item) result).row(), Named.as("open-item-row"))
                .to(topics.openItem().name(), topics.openItem().producedAs("open-item-sink"));
        KStream<String, SpecificRecord> rows = partials.filter(
                        (key, result) -> result instanceof PartialResult.Counts, Named.as("is-count"))
                .mapValues(result -> ((PartialResult.Counts) result).numbers(), Named.as("count-numbers"))
                .repartition(Repartitioned.with(Serdes.String(), COUNTS).withName("traffic-kind"))
                .process(() -> new TrafficCountProcessor(settings), Named.as("traffic-count"), STORE);
        write(rows, "traffic", TrafficCount.class, topics.traffic());
        write(rows, "violation", ViolationCount.class, topics.violation());
        write(rows, "edge", EdgeCount.class, topics.edge());
        write(rows, "turnaround", TurnaroundCount.class, topics.turnaround());
        write(rows, "patch", PatchCount.class, topics.patch());
        write(rows, "definition-change", DefinitionChangeCount.class, topics.definitionChange());
        return builder.build();
    }

    private static StoreBuilder<KeyValueStore<String, long[]>> counts(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.String(), COUNTS);
    }

    private static <R extends SpecificRecord> void write(
            KStream<String, SpecificRecord> rows, String name, Class<R> type, Topic<String, R> topic) {
        rows.filter((key, row) -> type.isInstance(row), Named.as("is-" + name))
                .mapValues(type::cast, Named.as(name + "-row"))
                .to(topic.name(), topic.producedAs(name + "-sink"));
    }

    /** Returns the record time of the input, at most the present, so that no record closes an open minute early. */
    private static long timeOf(ConsumerRecord<Object, Object> record, long partitionTime) {
        long time = record.value() instanceof AuditRecord audit
                ? audit.getSource().getTimestamp().toEpochMilli()
                : partitionTime;
        return Math.max(0, Math.min(time, System.currentTimeMillis()));
    }
}
