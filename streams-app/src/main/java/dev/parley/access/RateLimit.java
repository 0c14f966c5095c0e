package dev.parley.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A token bucket for each caller. The callers that came last are remembered, as many as told; one that was forgotten starts with a full bucket. For many
 * threads.
 */
public final class RateLimit {
    /** Nobody waits. */
    public static final RateLimit NONE = new RateLimit(0, 1, 1, () -> 0);

    private static final double NANOS = 1_000_000_000d;

    private final int perSecond;
    private final int burst;
    private final int callers;
    private final LongSupplier nanoTime;
    private final Map<String, Bucket> buckets;

    /** What a caller has left, and since when. */
    private record Bucket(double left, long time) {}

    /**
     * @param perSecond requests that come back to a bucket each second; 0 for no limit
     * @param burst requests that a full bucket holds, at least 1
     * @param callers most callers that are remembered
     * @param nanoTime a clock like {@link System#nanoTime}
     */
    public RateLimit(int perSecond, int burst, int callers, LongSupplier nanoTime) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.callers = callers;
        this.nanoTime = nanoTime;
        this.buckets = new LinkedHashMap<>(16, 0.75f, true);
    }

    /** Takes one request from the caller's bucket: 0 when there was one, else the seconds after which there will be, at least 1. */
    public synchronized long take(String caller) {
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
