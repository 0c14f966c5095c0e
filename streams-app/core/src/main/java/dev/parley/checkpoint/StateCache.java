package dev.parley.checkpoint;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Cache of states; evicts the least recently used beyond its share of a budget. Shared structure counts for each state,
 * so the actual memory is less than the count. The run counts for the candidates.
 */
final class StateCache {
    /** Approximate bytes of the objects of a state, including its key. */
    private static final long STATE_BYTES = 512;

    /** Approximate bytes of the objects of a definition, in addition to its text. */
    private static final long DEFINITION_BYTES = 160;

    private final LinkedHashMap<CheckpointKey, CachedState> states = new LinkedHashMap<>(16, 0.75f, true);
    private final StateCacheBudget budget;
    private long bytes;

    StateCache(StateCacheBudget budget) {
        this.budget = budget;
        budget.join(this);
    }

    /** Returns the state of a key; null if it is not cached. */
    CachedState get(CheckpointKey key) {
        return states.get(key);
    }

    void remove(CheckpointKey key) {
        CachedState state = states.remove(key);
        bytes -= state == null ? 0 : size(state);
    }

    /** Adds a state. It stays until the next call, whatever its size. */
    void put(CheckpointKey key, CachedState state) {
        CachedState before = states.put(key, state);
        bytes += size(state) - (before == null ? 0 : size(before));
        Iterator<Map.Entry<CheckpointKey, CachedState>> eldest =
                states.entrySet().iterator();
        long maxBytes = budget.share();
        while (bytes > maxBytes && states.size() > 1) {
            bytes -= size(eldest.next().getValue());
            eldest.remove();
        }
    }

    private static long size(CachedState state) {
        return STATE_BYTES
                + state.stateBytes()
                + state.run()
                + DEFINITION_BYTES * state.state().size();
    }
}
