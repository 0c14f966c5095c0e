package dev.parley.topology.traffic;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.topology.setup.Topics;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.state.Stores;

/**
 * Counts audited messages per minute by namespace, protocol, performative, sender and verdict. A message's time is the
 * record time of its input. Each count is written once, when its minute and the grace period are over in stream time. A
 * later message counts as late in the current minute; the metric late-total of the group stream-traffic-metrics is
 * their number. Stream time advances only with records, so without traffic the last minute waits.
 */
public final class TrafficTopology {

    /** Window of a count. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** Default grace period of a window. */
    public static final Duration DEFAULT_GRACE = Duration.ofMinutes(1);

    /** Store of the open minutes: counts by minute and dimensions. */
    public static final String STORE = "traffic-windows";

    private static final byte[] ONE = {};

    private TrafficTopology() {}

    /**
     * Builds the topology. It writes counts keyed by their dimensions.
     *
     * @param topics it reads the audit topic and writes the traffic topic
     * @param grace time in which a window accepts late messages, in stream time after its end
     */
    public static Topology build(Topics topics, Duration grace) {
        StreamsBuilder builder = new StreamsBuilder();
        // Cached, so that the changelog gets one record per count and commit instead of one per message.
        builder.addStateStore(
                Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(STORE), Serdes.String(), Serdes.Long())
                        .withCachingEnabled());
        builder.stream(
                        topics.audit().name(),
                        topics.audit()
                                .consumedAs("traffic-audit-source")
                                .withTimestampExtractor(TrafficTopology::timeOf))
                .filter((chain, audit) -> audit != null && audit.getRedaction() == null, Named.as("traffic-audited"))
                .map((chain, audit) -> KeyValue.pair(dimensions(audit).toKey(), ONE), Named.as("traffic-kind"))
                .repartition(
                        Repartitioned.with(Serdes.String(), Serdes.ByteArray()).withName("traffic-kind"))
                .process(() -> new TrafficCountProcessor(grace), Named.as("traffic-count"), STORE)
                .to(topics.traffic().name(), topics.traffic().producedAs("traffic-sink"));
        return builder.build();
    }

    private static TrafficDimensions dimensions(AuditRecord audit) {
        AgentMessage message = audit.getMessage();
        return message == null
                ? TrafficDimensions.undecodable(audit.getVerdict())
                : new TrafficDimensions(
                        message.getNamespace(),
                        message.getProtocol(),
                        message.getPerformative(),
                        audit.getVerdict(),
                        message.getSender(),
                        false);
    }

    /** Returns the record time of the input, at most the present, so that no record closes an open minute early. */
    private static long timeOf(ConsumerRecord<Object, Object> record, long partitionTime) {
        long time = record.value() instanceof AuditRecord audit
                ? audit.getSource().getTimestamp().toEpochMilli()
                : partitionTime;
        return Math.max(0, Math.min(time, System.currentTimeMillis()));
    }
}
