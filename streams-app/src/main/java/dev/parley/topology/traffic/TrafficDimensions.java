package dev.parley.topology.traffic;

import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;

/**
 * The dimensions of a traffic count.
 *
 * @param sender null if unknown
 * @param late whether the messages belong to an earlier minute than the one that counts them
 */
public record TrafficDimensions(
        String namespace, Protocol protocol, Performative performative, Verdict verdict, String sender, boolean late) {

    private static final char SEPARATOR = '|';

    /** Prefix of the key of late messages; no protocol has this name. */
    private static final String LATE = "late|";

    static TrafficDimensions undecodable(Verdict verdict) {
        return new TrafficDimensions("", Protocol.UNKNOWN, Performative.UNSPECIFIED, verdict, null, false);
    }

    /**
     * Returns protocol|performative|verdict|length of namespace|namespace, followed by |sender if it is known. Enum
     * names contain no separator, and the length delimits the namespace, so no part needs escaping.
     */
    public String toKey() {
        StringBuilder key = new StringBuilder(64)
                .append(late ? LATE : "")
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

    /** Returns the key of the same dimensions for late messages. */
    static String late(String key) {
        return LATE + key;
    }

    static TrafficDimensions of(String stored) {
        boolean late = stored.startsWith(LATE);
        String key = late ? stored.substring(LATE.length()) : stored;
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
                late);
    }
}
