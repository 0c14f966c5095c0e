package dev.parley.server.auth;

import java.util.function.LongSupplier;
import org.apache.kafka.common.cache.LRUCache;

/**
 * A token bucket per caller. Keeps the most recent callers up to a limit; a caller that it dropped starts with a full
 * bucket. Thread-safe. Jetty's {@code DoSHandler} does not report the wait, and does not limit callers beyond the
 * number that it keeps.
 */
public final class RateLimiter {
    public static final RateLimiter NONE = new RateLimiter(0, 1, 1, () -> 0);

    private static final double NANOS = 1_000_000_000d;

    private final int perSecond;
    private final int burst;
    private final LongSupplier nanoTime;
    private final LRUCache<String, Bucket> buckets;

    /** The remaining requests of a caller and the time of the last update, in nanoseconds. */
    private record Bucket(double left, long time) {}

    /**
     * @param perSecond requests added to a bucket per second; 0 for no limit
     * @param burst capacity of a bucket in requests, at least 1
     * @param callers maximum number of callers to keep
     * @param nanoTime a clock like {@link System#nanoTime}
     */
    public RateLimiter(int perSecond, int burst, int callers, LongSupplier nanoTime) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.nanoTime = nanoTime;
        this.buckets = new LRUCache<>(callers);
    }

    /**
     * Acquires one token of the caller's bucket. Returns 0 on success, else the seconds until the next one, at least
     * 1.
     */
    public synchronized long acquire(String caller) {
        if (perSecond == 0) {
            return 0;
        }
        long now = nanoTime.getAsLong();
        Bucket before = buckets.get(caller);
        double left =
                before == null ? burst : Math.min(burst, before.left() + (now - before.time()) / NANOS * perSecond);
        boolean enough = left >= 1;
        buckets.put(caller, new Bucket(enough ? left - 1 : left, now));
        return enough ? 0 : Math.max(1, (long) Math.ceil((1 - left) / perSecond));
    }

    synchronized long remembered() {
        return buckets.size();
    }
}
