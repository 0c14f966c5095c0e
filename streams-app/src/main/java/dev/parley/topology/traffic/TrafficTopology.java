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
 * Counts the audited messages of each minute by namespace, protocol, performative, sender and verdict. Time is that of
 * the audit records, which is that of their input records. A count is written once, when its minute and the grace are
 * over in the time of the stream; a message that comes later than that is counted as late in the minute in which it
 * comes (the metric late-total of the group stream-traffic-metrics says how many). The stream's time moves with its
 * records: without traffic the last minute waits.
 */
public final class TrafficTopology {

    /** Window of a count. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** How long a window waits for late messages when nothing else is configured. */
    public static final Duration DEFAULT_GRACE = Duration.ofMinutes(1);

    /** Store of the open minutes: counts by minute and kind. */
    public static final String STORE = "traffic-windows";

    private static final byte[] ONE = {};

    private TrafficTopology() {}

    /**
     * Builds the topology. Key of what it writes: the dimensions of the count as one string.
     *
     * @param topics the audit topic is read, the traffic topic written
     * @param grace how long after its end, in the time of the stream, a window takes late messages
     */
    public static Topology build(Topics topics, Duration grace) {
        StreamsBuilder builder = new StreamsBuilder();
        // Cached, so that the changelog gets one record for each commit and count, not one for each message.
        builder.addStateStore(Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore(STORE),
                        Serdes.String(),
                        Serdes.Long())
                .withCachingEnabled());
        builder.stream(
                        topics.audit().name(),
                        topics.audit()
                                .consumedAs("traffic-audit-source")
                                .withTimestampExtractor(TrafficTopology::timeOf))
                .filter((chain, audit) -> audit != null && audit.getRedaction() == null, Named.as("traffic-audited"))
                .map((chain, audit) -> KeyValue.pair(kind(audit).toKey(), ONE), Named.as("traffic-kind"))
                .repartition(
                        Repartitioned.with(Serdes.String(), Serdes.ByteArray()).withName("traffic-kind"))
                .process(() -> new TrafficCountProcessor(grace), Named.as("traffic-count"), STORE)
                .to(topics.traffic().name(), topics.traffic().producedAs("traffic-sink"));
        return builder.build();
    }

    private static TrafficDimensions kind(AuditRecord audit) {
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

    /** The time of the input record; never after the present, so that no record closes minutes that are not over. */
    private static long timeOf(ConsumerRecord<Object, Object> record, long partitionTime) {
        long time = record.value() instanceof AuditRecord audit
                ? audit.getSource().getTimestamp().toEpochMilli()
                : partitionTime;
        return Math.max(0, Math.min(time, System.currentTimeMillis()));
    }
}
