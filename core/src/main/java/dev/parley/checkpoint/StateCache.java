package dev.parley.checkpoint;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The states in use: the least recently used go when they take more than their share of a budget. Shared structure
 * counts for each state that shares it, so they take less than is counted.
 */
final class StateCache {
    /** What the objects of a head take, about, its key among them. */
    private static final long HEAD_BYTES = 512;

    /** What the objects of a definition take, about, beside its bytes. */
    private static final long DEFINITION_BYTES = 160;

    private final LinkedHashMap<CheckpointKey, CachedState> heads = new LinkedHashMap<>(16, 0.75f, true);
    private final StateCacheBudget budget;
    private long bytes;

    StateCache(StateCacheBudget budget) {
        this.budget = budget;
        budget.join(this);
    }

    /** The head of this key; null when it is not in memory. */
    CachedState get(CheckpointKey key) {
        return heads.get(key);
    }

    void remove(CheckpointKey key) {
        CachedState cachedState = heads.remove(key);
        bytes -= cachedState == null ? 0 : size(cachedState);
    }

    /** Keeps a head; it stays whatever its size until another is kept. */
    void put(CheckpointKey key, CachedState cachedState) {
        CachedState before = heads.put(key, cachedState);
        bytes += size(cachedState) - (before == null ? 0 : size(before));
        Iterator<Map.Entry<CheckpointKey, CachedState>> eldest =
                heads.entrySet().iterator();
        long most = budget.share();
        while (bytes > most && heads.size() > 1) {
            bytes -= size(eldest.next().getValue());
            eldest.remove();
        }
    }

    void clear() {
        heads.clear();
        bytes = 0;
    }

    private static long size(CachedState cachedState) {
        return HEAD_BYTES
                + cachedState.stateBytes()
                + DEFINITION_BYTES * cachedState.state().size();
    }
}
