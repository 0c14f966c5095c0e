package dev.parley.topology;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.TrafficCount;
import java.time.Duration;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.WindowStore;

/**
 * Counts the audited messages of each minute by namespace, protocol, performative, sender and verdict. Time is that of the audit
 * records, which is that of their input records. A count is written once, when its minute and the grace are over in the time of the stream; a message that comes later than that is not
 * counted (Kafka's metric dropped-records says how many). The stream's time moves with its records: without traffic the last minute waits.
 */
public final class TrafficTopology {

    /** Window of a count. */
    public static final Duration WINDOW = Duration.ofMinutes(1);

    /** How long a window waits for late messages when nothing else is configured. */
    public static final Duration DEFAULT_GRACE = Duration.ofMinutes(1);

    /** Store of the open windows. */
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
        builder.stream(
                        topics.audit().name(),
                        topics.audit().consumedAs("traffic-audit-source").withTimestampExtractor(new RecordTime()))
                .filter((chain, audit) -> audit != null, Named.as("traffic-audited"))
                .map((chain, audit) -> KeyValue.pair(kind(audit).toKey(), ONE), Named.as("traffic-kind"))
                .groupByKey(Grouped.<String, byte[]>as("traffic-kind")
                        .withKeySerde(Serdes.String())
                        .withValueSerde(Serdes.ByteArray()))
                .windowedBy(TimeWindows.ofSizeAndGrace(WINDOW, grace))
                .emitStrategy(EmitStrategy.onWindowClose())
                .count(
                        Named.as("traffic-count"),
                        Materialized.<String, Long, WindowStore<Bytes, byte[]>>as(STORE)
                                .withKeySerde(Serdes.String())
                                .withValueSerde(Serdes.Long())
                                .withRetention(WINDOW.plus(grace))
                                // A cached window store walks every minute since 1970 before it emits the first window.
                                .withCachingDisabled())
                .toStream(Named.as("traffic-final"))
                .map(
                        (window, messages) -> KeyValue.pair(window.key(), trafficCount(window, messages)),
                        Named.as("traffic-record"))
                .to(topics.traffic().name(), topics.traffic().producedAs("traffic-sink"));
        return builder.build();
    }

    private static TrafficKind kind(AuditRecord audit) {
        AgentMessage message = audit.getMessage();
        return message == null
                ? TrafficKind.undecodable(audit.getVerdict())
                : new TrafficKind(
                        message.getNamespace(),
                        message.getProtocol(),
                        message.getPerformative(),
                        audit.getVerdict(),
                        message.getSender());
    }

    private static TrafficCount trafficCount(Windowed<String> window, long messages) {
        TrafficKind kind = TrafficKind.of(window.key());
        return TrafficCount.newBuilder()
                .setWindowStart(window.window().startTime())
                .setWindowEnd(window.window().endTime())
                .setNamespace(kind.namespace())
                .setProtocol(kind.protocol())
                .setPerformative(kind.performative())
                .setSender(kind.sender())
                .setVerdict(kind.verdict())
                .setMessages(messages)
                .build();
    }
}
