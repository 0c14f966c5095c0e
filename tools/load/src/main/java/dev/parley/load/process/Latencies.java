package dev.parley.load.process;

import java.util.Arrays;

/**
 * A histogram of latencies in buckets of one millisecond. The last bucket counts latencies over one minute. Not
 * thread-safe.
 */
public final class Latencies {
    private static final int MAX_MILLIS = 60_000;

    private final long[] buckets = new long[MAX_MILLIS + 1];
    private long count;

    /** Creates an empty histogram. */
    public Latencies() {}

    /** Adds one latency in milliseconds. */
    public void add(long millis) {
        buckets[(int) Math.min(MAX_MILLIS, Math.max(0, millis))]++;
        count++;
    }

    /**
     * Latencies of one phase, in milliseconds.
     *
     * @param count number of messages
     * @param p99 99th percentile
     * @param p999 99.9th percentile
     */
    public record Summary(long count, long median, long p99, long p999) {}

    /** Summarizes the latencies since the last call, and removes them. */
    public Summary summarize() {
        Summary summary = new Summary(count, quantile(0.5), quantile(0.99), quantile(0.999));
        Arrays.fill(buckets, 0);
        count = 0;
        return summary;
    }

    private long quantile(double share) {
        long rank = (long) Math.ceil(share * count);
        long seen = 0;
        for (int millis = 0; millis < buckets.length; millis++) {
            seen += buckets[millis];
            if (seen >= rank) {
                return millis;
            }
        }
        return MAX_MILLIS;
    }
}
