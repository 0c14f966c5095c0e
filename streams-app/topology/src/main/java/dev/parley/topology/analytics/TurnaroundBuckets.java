package dev.parley.topology.analytics;

import dev.parley.topology.topics.Statistic;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The counts of a histogram of turnaround times. The histogram is cumulative. */
final class TurnaroundBuckets {
    private static final Pattern COLUMN = Pattern.compile("within(\\d+)(ms|s|m|h)");
    private static final Map<String, Long> UNITS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);

    /** Upper bounds in milliseconds, inclusive: those in the names of the columns. */
    private static final long[] BOUNDS = Statistic.TURNAROUND.measures().stream()
            .map(COLUMN::matcher)
            .filter(Matcher::matches)
            .mapToLong(column -> Long.parseLong(column.group(1)) * UNITS.get(column.group(2)))
            .toArray();

    private TurnaroundBuckets() {}

    /**
     * Returns the counts of one item: the item, the sum and the maximum of the times, the bytes, and the buckets.
     *
     * @param millis time from request to result
     */
    static long[] counts(long millis, long requestBytes, long responseBytes) {
        long[] counts = new long[5 + BOUNDS.length];
        counts[0] = 1;
        counts[1] = millis;
        counts[2] = millis;
        counts[3] = requestBytes;
        counts[4] = responseBytes;
        for (int i = 0; i < BOUNDS.length; i++) {
            counts[5 + i] = millis <= BOUNDS[i] ? 1 : 0;
        }
        return counts;
    }
}
