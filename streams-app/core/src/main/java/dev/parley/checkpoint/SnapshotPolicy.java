package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which checkpoints contain a snapshot. When the run of deltas weighs more than twice the new state, a snapshot
 * is added to the first checkpoint of the run whose deltas outweigh its own state. Therefore a rebuild reads about
 * twice the state in deltas, and {@link #MAX_DELTAS} checkpoints. Because the snapshot is in the middle of the run, all
 * children of one base share it.
 *
 * <p>All snapshots of a context together weigh at most as much as its patches. If many children of one base shrink its
 * state, so that each would need a snapshot of its own, most get none, and their run weighs up to twice the largest
 * state.
 *
 * @param maxState maximum bytes of a state
 */
record SnapshotPolicy(CheckpointReader reader, long maxState) {
    /** Approximate maximum number of checkpoints that a rebuild reads after the snapshot. */
    static final int MAX_DELTAS = 4_096;

    private static final int RUN_TO_STATE = 2;

    /**
     * Adds the snapshots that a new checkpoint requires.
     *
     * @param made the new checkpoint without snapshot and run, which are set
     * @param base key of its parent
     * @param parent state of its parent
     * @param room weight of the patches of the context without its snapshots
     * @param written receives the checkpoints to write, the new one last
     * @return the state of the new checkpoint
     */
    CachedState place(Checkpoint made, CheckpointKey base, CachedState parent, long room, List<Checkpoint> written) {
        long maxRun = RUN_TO_STATE * made.getStateBytes();
        boolean carries = weight(made) >= made.getStateBytes();
        long left = room;
        CachedState above = parent;
        CachedState state = parent.child(base.sibling(made.getId()), made);
        while (state.run() > maxRun && !carries && !above.candidates().isEmpty()) {
            CachedState.Candidate first = above.candidates().get(0);
            Checkpoint node = reader.existing(first.key());
            if (node.getSnapshot() == null && node.getPrunedAt() == null) {
                left -= node.getStateBytes();
                if (left < 0 && state.run() <= RUN_TO_STATE * maxState) {
                    break;
                }
                written.add(with(node, 0, first.state()));
            }
            above = above.afterFirst();
            state = state.afterFirst();
            reader.put(base, above);
        }
        if (state.run() > maxRun && left >= made.getStateBytes()) {
            state = CachedState.whole(made, state.state());
        }
        written.add(set(made, state.run(), state.run() > 0 ? null : state.state()));
        return state;
    }

    /** Weight of a checkpoint in a run: that of its operations, and at least a share of the run. */
    static long weight(Checkpoint node) {
        return Math.max(PatchOperations.weight(node.getOperations()), RUN_TO_STATE * node.getStateBytes() / MAX_DELTAS);
    }

    /** Returns a copy of a checkpoint without snapshot, with this run, and this snapshot unless it is null. */
    static Checkpoint with(Checkpoint node, long run, Map<String, Definition> snapshot) {
        return set(copy(node), run, snapshot);
    }

    private static Checkpoint set(Checkpoint node, long run, Map<String, Definition> snapshot) {
        node.setDeltaBytes(run);
        if (snapshot != null) {
            Map<String, String> values = new LinkedHashMap<>(snapshot.size() * 2);
            List<Long> setters = new ArrayList<>(snapshot.size());
            List<Map.Entry<String, Definition>> byName = new ArrayList<>(snapshot.entrySet());
            byName.sort(Map.Entry.comparingByKey());
            for (Map.Entry<String, Definition> entry : byName) {
                values.put(entry.getKey(), entry.getValue().value());
                setters.add(entry.getValue().setter());
            }
            node.setSnapshot(values);
            node.setSetters(setters);
        }
        return node;
    }

    /** Returns a copy that shares the values of the fields. */
    static Checkpoint copy(Checkpoint node) {
        Checkpoint copy = new Checkpoint();
        for (int field = 0; field < node.getSchema().getFields().size(); field++) {
            copy.put(field, node.get(field));
        }
        return copy;
    }
}
