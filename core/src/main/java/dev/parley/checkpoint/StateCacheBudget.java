package dev.parley.checkpoint;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The memory that the states kept by several readers may take together: each reader that is in use has an equal share.
 * So a process has one bound, however many tasks it is given. For several threads at once.
 */
public final class StateCacheBudget {
    /** Below this a share is of no use. */
    private static final long LEAST_SHARE = 256 << 10;

    private final long bytes;
    private final Set<StateCache> caches = Collections.newSetFromMap(new WeakHashMap<>());
    private volatile long share;

    /**
     * A budget that nobody uses yet.
     *
     * @param bytes how much all together may take, about
     */
    public StateCacheBudget(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("no budget is negative");
        }
        this.bytes = bytes;
    }

    /** Counts a cache in, until nobody uses it any more. */
    synchronized void join(StateCache cache) {
        caches.add(cache);
        share = Math.max(bytes / caches.size(), Math.min(bytes, LEAST_SHARE));
    }

    /** What one cache may take now. */
    long share() {
        return share;
    }
}
