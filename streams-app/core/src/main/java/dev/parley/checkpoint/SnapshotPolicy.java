package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kotlinx.collections.immutable.PersistentMap;

/**
 * Decides which checkpoints contain a snapshot. When the run of deltas weighs more than twice the new state, a snapshot
 * is added to the first checkpoint of the run whose deltas outweigh its own state. Therefore a rebuild reads at most
 * twice the state in deltas, and all snapshots together weigh about as much as the deltas. Because the snapshot is in
 * the middle of the run, all children of one base share it.
 */
record SnapshotPolicy(CheckpointReader reader) {
    private static final int RUN_TO_STATE = 2;

    /**
     * Adds the snapshots that a new checkpoint requires.
     *
     * @param made the new checkpoint without snapshot and run, which are set
     * @param own weight of its operations
     * @param base key of its parent
     * @param cachedState state of its parent
     * @return the checkpoints to write, the new one last
     */
    List<Checkpoint> place(
            Checkpoint made,
            long own,
            CheckpointKey base,
            CachedState cachedState,
            PersistentMap<String, Definition> state) {
        long maxRun = RUN_TO_STATE * made.getStateBytes();
        if (cachedState.run() + own <= maxRun) {
            return List.of(set(made, cachedState.run() + own, null));
        }
        if (own >= made.getStateBytes()) {
            return List.of(set(made, 0, state));
        }
        CheckpointReader.Run run = reader.run(base);
        long weight = own;
        for (Checkpoint node : run.nodes()) {
            weight += PatchOperations.weight(node.getOperations());
        }
        List<Checkpoint> written = new ArrayList<>(2);
        Map<String, Definition> at = run.start();
        long since = 0;
        Iterator<Checkpoint> unapplied = run.nodes().iterator();
        for (Checkpoint node : run.nodes()) {
            since += PatchOperations.weight(node.getOperations());
            if (weight > maxRun && since >= node.getStateBytes()) {
                applyThrough(node, unapplied, at);
                written.add(with(node, 0, at));
                weight -= since;
                since = 0;
            }
        }
        reader.put(base, cachedState.withRun(since));
        written.add(weight > maxRun ? set(made, 0, state) : set(made, weight, null));
        return written;
    }

    private static void applyThrough(Checkpoint last, Iterator<Checkpoint> nodes, Map<String, Definition> state) {
        Checkpoint node;
        do {
            node = nodes.next();
            PatchOperations.applyTo(state, node.getOperations(), node.getOrdinal());
        } while (node != last);
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
