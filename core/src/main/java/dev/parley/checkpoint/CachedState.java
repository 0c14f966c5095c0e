package dev.parley.checkpoint;

import java.nio.ByteBuffer;
import kotlinx.collections.immutable.PersistentMap;

/**
 * A state in memory, sharing structure with the states around it.
 *
 * @param hash chain hash of its checkpoint
 * @param depth patches between the root and it
 * @param stateBytes bytes of its names and values
 * @param run weight of the deltas since the nearest snapshot; too large when an ancestor got a snapshot since the head
 *     was made
 * @param state the definitions, in no order: by hash they are found in fewer steps than by name
 */
record CachedState(ByteBuffer hash, long depth, long stateBytes, long run, PersistentMap<String, Definition> state) {

    CachedState withRun(long exact) {
        return new CachedState(hash, depth, stateBytes, exact, state);
    }
}
