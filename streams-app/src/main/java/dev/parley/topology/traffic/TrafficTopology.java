package dev.parley.topology.traffic;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.ViolationCount;
import dev.parley.topology.setup.Topic;
import dev.parley.topology.setup.Topics;
import java.time.Duration;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Counts audited messages per minute, for the analytics topics: traffic, violations, and edges between agents. A
 * message's time is the record time of its input. Each task counts the audit records that it reads, and the repartition
 * brings its counts together with those of other tasks, so neither a frequent sender nor the number of messages loads
 * it. Each row is written once, when its minute and the grace period are over in stream time. A later message counts as
 * late in the current minute; the metric late-total of the group stream-traffic-metrics is their number. Stream time
 * advances only with records, so without traffic the last minute waits.
 */
public final class TrafficTopology {

    /** Window of a count. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** Default grace period of a window. */
    public static final Duration DEFAULT_GRACE = Duration.ofMinutes(1);

    /** Default maximum number of rows of a topic, minute and task. */
    public static final int DEFAULT_MAX_KEYS = 10_000;

    /** Store of the counts of a task that are not forwarded yet: counts by minute and dimensions. */
    public static final String PARTIALS = "traffic-partials";

    /** Store of the open minutes: counts by minute and dimensions. */
    public static final String STORE = "traffic-windows";

    /** Serde of the values of both stores: eight bytes for each number. */
    public static final Serde<long[]> COUNTS = CountsSerde.COUNTS;

    private TrafficTopology() {}

    /** Builds the topology with the default maximum number of rows. */
    public static Topology build(Topics topics, Duration grace) {
        return build(topics, grace, DEFAULT_MAX_KEYS);
    }

    /**
     * Builds the topology. It writes rows keyed by their dimensions.
     *
     * @param topics it reads the audit topic and writes the analytics topics
     * @param grace time in which a window accepts late messages, in stream time after its end
     * @param maxKeys maximum number of rows of one topic that a task counts separately in a minute
     */
    public static Topology build(Topics topics, Duration grace, int maxKeys) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.addStateStore(counts(PARTIALS));
        builder.addStateStore(counts(STORE));
        KStream<String, SpecificRecord> rows = builder.stream(
                        topics.audit().name(),
                        topics.audit()
                                .consumedAs("traffic-audit-source")
                                .withTimestampExtractor(TrafficTopology::timeOf))
                .filter((chain, audit) -> audit != null && audit.getRedaction() == null, Named.as("traffic-audited"))
                .process(() -> new PartialCountProcessor(maxKeys), Named.as("traffic-partial"), PARTIALS)
                .repartition(Repartitioned.with(Serdes.String(), COUNTS).withName("traffic-kind"))
                .process(() -> new TrafficCountProcessor(grace, maxKeys), Named.as("traffic-count"), STORE);
        write(rows, "traffic", TrafficCount.class, topics.traffic());
        write(rows, "violation", ViolationCount.class, topics.violation());
        write(rows, "edge", EdgeCount.class, topics.edge());
        return builder.build();
    }

    /** A store of counts; cached, so that its changelog gets one record per key and commit, not one per message. */
    private static StoreBuilder<KeyValueStore<String, long[]>> counts(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.String(), COUNTS)
                .withCachingEnabled();
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
