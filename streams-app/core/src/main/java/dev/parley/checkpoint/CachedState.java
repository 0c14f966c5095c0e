package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import kotlinx.collections.immutable.PersistentMap;

/**
 * A state in memory that shares structure with related states.
 *
 * @param hash chain hash of its checkpoint
 * @param depth number of patches between the root and it
 * @param stateBytes bytes of its names and values
 * @param run weight of the deltas since the nearest snapshot; too large if an ancestor got a snapshot later
 * @param candidates checkpoints of the run that may get the next snapshots, in order
 * @param state definitions in no order, because a hash map needs fewer steps than a sorted one
 */
record CachedState(
        ByteBuffer hash,
        long depth,
        long stateBytes,
        long run,
        List<Candidate> candidates,
        PersistentMap<String, Definition> state) {

    /**
     * A checkpoint whose deltas outweigh its state.
     *
     * @param since weight of the deltas since the candidate before it; of the first, since the nearest snapshot
     */
    record Candidate(CheckpointKey key, long since, PersistentMap<String, Definition> state) {}

    /** The state of a checkpoint with a snapshot. */
    static CachedState whole(Checkpoint node, PersistentMap<String, Definition> state) {
        return new CachedState(node.getHash(), node.getDepth(), node.getStateBytes(), 0, List.of(), state);
    }

    /** Returns the state of a child without snapshot. */
    CachedState child(CheckpointKey key, Checkpoint node) {
        PersistentMap<String, Definition> after = PatchOperations.apply(node.getOperations(), state, node.getOrdinal());
        long weight = run + SnapshotPolicy.weight(node);
        long since = weight;
        for (Candidate candidate : candidates) {
            since -= candidate.since();
        }
        List<Candidate> all = candidates;
        if (since >= node.getStateBytes()) {
            all = new ArrayList<>(candidates);
            all.add(new Candidate(key, since, after));
        }
        return new CachedState(node.getHash(), node.getDepth(), node.getStateBytes(), weight, all, after);
    }

    /** Returns the same state after the first candidate has got its snapshot. */
    CachedState afterFirst() {
        long rest = run - candidates.get(0).since();
        List<Candidate> others = List.copyOf(candidates.subList(1, candidates.size()));
        return new CachedState(hash, depth, stateBytes, rest, others, state);
    }
}
