package dev.parley.checkpoint;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Memory shared by the caches of several readers. Each reader in use has an equal share, so the bound of an instance
 * does not depend on its number of tasks. Thread-safe.
 */
public final class StateCacheBudget {
    /** A smaller share would have no effect. */
    private static final long MIN_SHARE = 256 << 10;

    private final long bytes;
    private final Set<StateCache> caches = Collections.newSetFromMap(new WeakHashMap<>());
    private volatile long share;

    /**
     * Creates a budget.
     *
     * @param bytes approximate memory of all caches together
     */
    public StateCacheBudget(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes must not be negative, but was " + bytes);
        }
        this.bytes = bytes;
    }

    /** Adds a cache, until it is garbage collected. */
    synchronized void join(StateCache cache) {
        caches.add(cache);
        share = Math.max(bytes / caches.size(), Math.min(bytes, MIN_SHARE));
    }

    /** Maximum bytes of one cache at this time. */
    long share() {
        return share;
    }
}
