package dev.parley.topology.analytics;

import dev.parley.avro.Protocol;
import dev.parley.avro.TurnaroundCount;
import dev.parley.topology.analytics.items.ItemKind;
import dev.parley.topology.analytics.items.ItemOutcome;
import java.time.Instant;

/**
 * The dimensions of a histogram of turnaround times. Its counts are the items, the sum and the maximum of their times,
 * and {@link TurnaroundBuckets}.
 *
 * @param agent agent that sent the results; null if unknown
 * @param isOther whether they count results beyond the maximum number of rows
 */
record TurnaroundDimensions(
        String namespace, Protocol protocol, String agent, ItemKind kind, ItemOutcome outcome, boolean isOther)
        implements Dimensions {

    /** Index of the maximum in the counts. */
    static final int MAX = 2;

    private static final int BUCKETS = 3;
    private static final String TRUE = "1";

    /**
     * Returns the counts of one item.
     *
     * @param millis time from request to result
     */
    static long[] counts(long millis) {
        long[] counts = new long[BUCKETS + TurnaroundBuckets.SIZE];
        counts[0] = 1;
        counts[1] = millis;
        counts[MAX] = millis;
        TurnaroundBuckets.add(millis, counts, BUCKETS);
        return counts;
    }

    @Override
    public String toKey() {
        return KeyFields.join(
                CountKind.TURNAROUND.prefix(),
                isOther ? TRUE : null,
                protocol.name(),
                kind.name(),
                outcome.name(),
                namespace,
                agent);
    }

    static TurnaroundDimensions of(String key) {
        KeyFields fields = new KeyFields(key, CountKind.TURNAROUND.prefix());
        boolean isOther = fields.next() != null;
        Protocol protocol = Protocol.valueOf(fields.next());
        ItemKind kind = ItemKind.valueOf(fields.next());
        ItemOutcome outcome = ItemOutcome.valueOf(fields.next());
        String namespace = fields.next();
        return new TurnaroundDimensions(namespace, protocol, fields.next(), kind, outcome, isOther);
    }

    @Override
    public TurnaroundDimensions other() {
        return new TurnaroundDimensions(OTHER, protocol, OTHER, kind, outcome, true);
    }

    @Override
    public TurnaroundCount row(Instant start, long[] counts, boolean late) {
        TurnaroundCount.Builder row = TurnaroundCount.newBuilder()
                .setWindowStart(start)
                .setWindowEnd(start.plus(TrafficTopology.WINDOW))
                .setNamespace(namespace)
                .setProtocol(protocol.name())
                .setAgent(agent)
                .setKind(kind.name())
                .setOutcome(outcome.name())
                .setItems(counts[0])
                .setTotalMs(counts[1])
                .setMaxMs(counts[MAX])
                .setLate(late)
                .setOther(isOther);
        TurnaroundBuckets.set(row, counts, BUCKETS);
        return row.build();
    }
}
