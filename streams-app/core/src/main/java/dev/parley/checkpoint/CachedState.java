package dev.parley.checkpoint;

import java.nio.ByteBuffer;
import kotlinx.collections.immutable.PersistentMap;

/**
 * A state in memory that shares structure with related states.
 *
 * @param hash chain hash of its checkpoint
 * @param depth number of patches between the root and it
 * @param stateBytes bytes of its names and values
 * @param run weight of the deltas since the nearest snapshot; too large if an ancestor got a snapshot later
 * @param state definitions in no order, because a hash map needs fewer steps than a sorted one
 */
record CachedState(ByteBuffer hash, long depth, long stateBytes, long run, PersistentMap<String, Definition> state) {

    CachedState withRun(long exact) {
        return new CachedState(hash, depth, stateBytes, exact, state);
    }
}
