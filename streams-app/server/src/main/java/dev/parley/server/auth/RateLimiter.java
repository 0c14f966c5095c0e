package dev.parley.server.auth;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

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
    private final int callers;
    private final LongSupplier nanoTime;
    private final Map<String, Bucket> buckets;

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
        this.callers = callers;
        this.nanoTime = nanoTime;
        this.buckets = new LinkedHashMap<>(16, 0.75f, true);
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
        Bucket before = buckets.getOrDefault(caller, new Bucket(burst, now));
        double left = Math.min(burst, before.left() + (now - before.time()) / NANOS * perSecond);
        boolean enough = left >= 1;
        buckets.put(caller, new Bucket(enough ? left - 1 : left, now));
        if (buckets.size() > callers) {
            buckets.remove(buckets.keySet().iterator().next());
        }
        return enough ? 0 : Math.max(1, (long) Math.ceil((1 - left) / perSecond));
    }

    synchronized int remembered() {
        return buckets.size();
    }
}
