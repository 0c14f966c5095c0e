package dev.parley.benchmarks.hostile;

import java.util.Arrays;

/**
 * A histogram of latencies in buckets of one millisecond. The last bucket counts latencies over one minute. Not
 * thread-safe.
 */
final class Latencies {
    private static final int MAX_MILLIS = 60_000;

    private final long[] buckets = new long[MAX_MILLIS + 1];
    private long count;

    /** Adds one latency in milliseconds. */
    void add(long millis) {
        buckets[(int) Math.min(MAX_MILLIS, Math.max(0, millis))]++;
        count++;
    }

    long count() {
        return count;
    }

    /**
     * The quantile of the latencies, in milliseconds.
     *
     * @param share share of the latencies, between 0 and 1
     */
    long quantile(double share) {
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

    /** Removes all latencies. */
    void clear() {
        Arrays.fill(buckets, 0);
        count = 0;
    }
}
