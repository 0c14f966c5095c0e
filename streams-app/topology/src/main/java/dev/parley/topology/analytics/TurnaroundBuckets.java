package dev.parley.topology.analytics;

/** The counts of a histogram of turnaround times. The histogram is cumulative. */
final class TurnaroundBuckets {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    /** Upper bounds in milliseconds, inclusive: the columns from {@code within10ms} to {@code within24h}. */
    private static final long[] BOUNDS = {
        10,
        20,
        50,
        100,
        200,
        500,
        SECOND,
        2 * SECOND,
        5 * SECOND,
        10 * SECOND,
        20 * SECOND,
        30 * SECOND,
        MINUTE,
        2 * MINUTE,
        5 * MINUTE,
        10 * MINUTE,
        30 * MINUTE,
        HOUR,
        2 * HOUR,
        6 * HOUR,
        24 * HOUR
    };

    private TurnaroundBuckets() {}

    /**
     * Returns the counts of one item: the item, the sum and the maximum of the times, and the buckets.
     *
     * @param millis time from request to result
     */
    static long[] counts(long millis) {
        long[] counts = new long[3 + BOUNDS.length];
        counts[0] = 1;
        counts[1] = millis;
        counts[2] = millis;
        for (int i = 0; i < BOUNDS.length; i++) {
            counts[3 + i] = millis <= BOUNDS[i] ? 1 : 0;
        }
        return counts;
    }
}
