package dev.parley.topology.analytics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import java.time.Instant;

/**
 * The dimensions of a traffic count. Its counts are one number: the messages.
 *
 * @param sender null if unknown
 * @param isOther whether they count messages beyond the maximum number of rows
 */
public record TrafficDimensions(
        String namespace, Protocol protocol, Performative performative, Verdict verdict, String sender, boolean isOther)
        implements Dimensions {

    private static final char SEPARATOR = '|';
    private static final String OTHER_PREFIX = "other|";

    /** Counts of one message. */
    private static final long[] ONE = {1};

    /** Counts a record. */
    static void count(AuditRecord audit, CountSink sink) {
        AgentMessage message = audit.getMessage();
        Verdict verdict = Symbols.VERDICT.of(audit.getVerdict());
        TrafficDimensions dimensions = message == null
                ? new TrafficDimensions("", Protocol.UNKNOWN, Performative.UNSPECIFIED, verdict, null, false)
                : new TrafficDimensions(
                        message.getNamespace(),
                        Symbols.PROTOCOL.of(message.getProtocol()),
                        Symbols.PERFORMATIVE.of(message.getPerformative()),
                        verdict,
                        message.getSender(),
                        false);
        sink.add(dimensions, ONE);
    }

    /**
     * Returns protocol|performative|verdict|length of namespace|namespace, followed by |sender if it is known. Enum
     * names contain no separator, and the length delimits the namespace, so no part needs escaping.
     */
    @Override
    public String toKey() {
        StringBuilder key = new StringBuilder(64)
                .append(isOther ? OTHER_PREFIX : "")
                .append(protocol.name())
                .append(SEPARATOR)
                .append(performative.name())
                .append(SEPARATOR)
                .append(verdict.name())
                .append(SEPARATOR)
                .append(namespace.length())
                .append(SEPARATOR)
                .append(namespace);
        if (sender != null) {
            key.append(SEPARATOR).append(sender);
        }
        return key.toString();
    }

    static TrafficDimensions of(String stored) {
        boolean other = stored.startsWith(OTHER_PREFIX);
        String key = other ? stored.substring(OTHER_PREFIX.length()) : stored;
        int performative = key.indexOf(SEPARATOR) + 1;
        int verdict = key.indexOf(SEPARATOR, performative) + 1;
        int length = key.indexOf(SEPARATOR, verdict) + 1;
        int namespace = key.indexOf(SEPARATOR, length) + 1;
        int end = namespace + Integer.parseInt(key, length, namespace - 1, 10);
        return new TrafficDimensions(
                key.substring(namespace, end),
                Protocol.valueOf(key.substring(0, performative - 1)),
                Performative.valueOf(key.substring(performative, verdict - 1)),
                Verdict.valueOf(key.substring(verdict, length - 1)),
                end == key.length() ? null : key.substring(end + 1),
                other);
    }

    @Override
    public TrafficDimensions other() {
        return new TrafficDimensions(OTHER, protocol, performative, verdict, OTHER, true);
    }

    @Override
    public TrafficCount row(Instant start, long[] counts, boolean late) {
        return TrafficCount.newBuilder()
                .setWindowStart(start)
                .setWindowEnd(start.plus(TrafficTopology.WINDOW))
                .setNamespace(namespace)
                .setProtocol(protocol.name())
                .setPerformative(performative.name())
                .setSender(sender)
                .setVerdict(verdict.name())
                .setMessages(counts[0])
                .setLate(late)
                .setOther(isOther)
                .build();
    }
}
