package dev.parley.topology.analytics;

import dev.parley.avro.TurnaroundCount;
import java.util.List;
import java.util.function.ObjLongConsumer;

/** Upper bounds of the histogram of turnaround times, and its columns. The histogram is cumulative. */
final class TurnaroundBuckets {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    private static final List<Bucket> BUCKETS = List.of(
            new Bucket(10, TurnaroundCount.Builder::setWithin10ms),
            new Bucket(20, TurnaroundCount.Builder::setWithin20ms),
            new Bucket(50, TurnaroundCount.Builder::setWithin50ms),
            new Bucket(100, TurnaroundCount.Builder::setWithin100ms),
            new Bucket(200, TurnaroundCount.Builder::setWithin200ms),
            new Bucket(500, TurnaroundCount.Builder::setWithin500ms),
            new Bucket(SECOND, TurnaroundCount.Builder::setWithin1s),
            new Bucket(2 * SECOND, TurnaroundCount.Builder::setWithin2s),
            new Bucket(5 * SECOND, TurnaroundCount.Builder::setWithin5s),
            new Bucket(10 * SECOND, TurnaroundCount.Builder::setWithin10s),
            new Bucket(20 * SECOND, TurnaroundCount.Builder::setWithin20s),
            new Bucket(30 * SECOND, TurnaroundCount.Builder::setWithin30s),
            new Bucket(MINUTE, TurnaroundCount.Builder::setWithin1m),
            new Bucket(2 * MINUTE, TurnaroundCount.Builder::setWithin2m),
            new Bucket(5 * MINUTE, TurnaroundCount.Builder::setWithin5m),
            new Bucket(10 * MINUTE, TurnaroundCount.Builder::setWithin10m),
            new Bucket(30 * MINUTE, TurnaroundCount.Builder::setWithin30m),
            new Bucket(HOUR, TurnaroundCount.Builder::setWithin1h),
            new Bucket(2 * HOUR, TurnaroundCount.Builder::setWithin2h),
            new Bucket(6 * HOUR, TurnaroundCount.Builder::setWithin6h),
            new Bucket(24 * HOUR, TurnaroundCount.Builder::setWithin24h));

    /** Number of buckets. */
    static final int SIZE = BUCKETS.size();

    private TurnaroundBuckets() {}

    /** A bucket: the items that were closed within so many milliseconds, inclusive. */
    private record Bucket(long millis, ObjLongConsumer<TurnaroundCount.Builder> column) {}

    /** Adds one item to the buckets that begin at an index of the counts. */
    static void add(long millis, long[] counts, int first) {
        for (int i = 0; i < SIZE; i++) {
            counts[first + i] += millis <= BUCKETS.get(i).millis() ? 1 : 0;
        }
    }

    /** Sets the columns of a row from the counts. */
    static void set(TurnaroundCount.Builder row, long[] counts, int first) {
        for (int i = 0; i < SIZE; i++) {
            BUCKETS.get(i).column().accept(row, counts[first + i]);
        }
    }
}
