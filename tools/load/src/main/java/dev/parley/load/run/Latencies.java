package dev.parley.load.run;

import org.HdrHistogram.Histogram;

/**
 * A histogram of latencies in whole milliseconds, up to one minute; longer ones count as one minute. Not thread-safe.
 */
final class Latencies {
    private static final int MAX_MILLIS = 60_000;

    /** Five digits distinguish all values. */
    private final Histogram millis = new Histogram(MAX_MILLIS, 5);

    /** Adds one latency in milliseconds. */
    public void add(long latency) {
        millis.recordValue(Math.min(MAX_MILLIS, Math.max(0, latency)));
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
        Summary summary = new Summary(
                millis.getTotalCount(),
                millis.getValueAtPercentile(50),
                millis.getValueAtPercentile(99),
                millis.getValueAtPercentile(99.9));
        millis.reset();
        return summary;
    }
}
