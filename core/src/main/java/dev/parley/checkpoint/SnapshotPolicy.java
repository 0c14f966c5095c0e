package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kotlinx.collections.immutable.PersistentMap;

/**
 * Decides which checkpoints carry a snapshot. One is placed as soon as the run of deltas weighs more than twice the new
 * state, on the first checkpoint of the run whose deltas outweigh its own state. So a rebuild reads at most twice the
 * state in deltas, the snapshots together weigh about as much as the deltas, and, because a snapshot stands in the
 * middle of the run and not at its end, the many children of one base share it instead of each writing their own.
 */
final class SnapshotPolicy {
    private static final int RUN_TO_STATE = 2;

    private final CheckpointReader reader;

    SnapshotPolicy(CheckpointReader reader) {
        this.reader = reader;
    }

    /**
     * Places what snapshots a new checkpoint calls for.
     *
     * @param made the new checkpoint without snapshot and run; not changed
     * @param base key of its parent
     * @param cachedState its parent
     * @param state its state
     * @return the checkpoints to write, the new one last
     */
    List<Checkpoint> place(
            Checkpoint made, CheckpointKey base, CachedState cachedState, PersistentMap<String, Definition> state) {
        long own = PatchOperations.weight(made.getOperations());
        long most = RUN_TO_STATE * made.getStateBytes();
        if (cachedState.run() + own <= most) {
            return List.of(with(made, cachedState.run() + own, null));
        }
        if (own >= made.getStateBytes()) {
            return List.of(with(made, 0, state));
        }
        CheckpointReader.Run run = reader.run(base);
        long weight = own;
        for (Checkpoint node : run.nodes()) {
            weight += PatchOperations.weight(node.getOperations());
        }
        List<Checkpoint> written = new ArrayList<>(2);
        Map<String, Definition> at = run.snapshot();
        long since = 0;
        Iterator<Checkpoint> unapplied = run.nodes().iterator();
        for (Checkpoint node : run.nodes()) {
            since += PatchOperations.weight(node.getOperations());
            if (weight > most && since >= node.getStateBytes()) {
                applyThrough(node, unapplied, at);
                written.add(with(node, 0, at));
                weight -= since;
                since = 0;
            }
        }
        reader.keep(base, cachedState.withRun(since));
        written.add(weight > most ? with(made, 0, state) : with(made, weight, null));
        return written;
    }

    private static void applyThrough(Checkpoint last, Iterator<Checkpoint> nodes, Map<String, Definition> state) {
        Checkpoint node;
        do {
            node = nodes.next();
            PatchOperations.applyTo(state, node.getOperations(), node.getOrdinal());
        } while (node != last);
    }

    /** The node with this run and, unless it is null, this snapshot. */
    static Checkpoint with(Checkpoint node, long run, Map<String, Definition> snapshot) {
        Map<String, String> values = null;
        List<Long> setters = null;
        if (snapshot != null) {
            values = new LinkedHashMap<>(snapshot.size() * 2);
            setters = new ArrayList<>(snapshot.size());
            List<Map.Entry<String, Definition>> byName = new ArrayList<>(snapshot.entrySet());
            byName.sort(Map.Entry.comparingByKey());
            for (Map.Entry<String, Definition> entry : byName) {
                values.put(entry.getKey(), entry.getValue().value());
                setters.add(entry.getValue().setter());
            }
        }
        return new Checkpoint(
                node.getNamespace(),
                node.getContext(),
                node.getId(),
                node.getParent(),
                node.getPatch(),
                node.getPatchHash(),
                node.getSender(),
                node.getOperations(),
                node.getSource(),
                node.getOrdinal(),
                node.getDepth(),
                node.getHash(),
                node.getStateBytes(),
                run,
                values,
                setters,
                node.getReleasedBy(),
                node.getPrunedAt());
    }
}
