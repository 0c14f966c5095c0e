package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Prunes the content of superseded checkpoints that no other checkpoint needs. A checkpoint is superseded when the
 * first patch is applied to it; branch heads are kept. A pruned checkpoint becomes a stub: its position in the tree,
 * its hash, and the time of pruning. Before that, each child that remains gets a snapshot, so that every checkpoint
 * except stubs can still be rebuilt.
 *
 * <p>A context is pruned when a patch is applied in it, because only then does it grow. Pruning starts when a tenth of
 * the retention time has accumulated, because each pruning may cost a snapshot.
 *
 * <p>Index keys: {@code old|namespace|context|time|id} lists superseded checkpoints by time, each with its first child;
 * {@code fork|}, a checkpoint's key and a child's ID list its children except the first, unless they got a snapshot;
 * {@code kept|} and a checkpoint's key note that its first child got one.
 *
 * @param millis retention of superseded checkpoints in record time, in milliseconds
 * @param clock milliseconds since the epoch: a future timestamp must not prune recent checkpoints
 */
record CheckpointPruner(
        SortedStore<Checkpoint> nodes,
        SortedStore<String> index,
        CheckpointReader reader,
        long millis,
        LongSupplier clock) {
    /** Maximum number of checkpoints that one patch prunes, because they are written in its transaction. */
    static final int MAX_PRUNED = 500;

    /** Maximum number of children that one patch gives a snapshot. */
    static final int MAX_SNAPSHOTS = 100;

    /** Maximum bytes of the snapshots that one patch adds, except that one may be larger. */
    static final long MAX_SNAPSHOT_BYTES = 8L << 20;

    static final String OLD = "old|";
    private static final String KEPT = "kept|";
    private static final String FORK = "fork|";

    /** Notes that a checkpoint got its first child by a patch of this record time. */
    void superseded(CheckpointKey key, String child, long now) {
        if (!key.isRoot()) {
            index.put(old(key) + ParkingLot.padded(past(now)) + "|" + key.id(), child);
        }
    }

    /** Notes that a checkpoint got another child. */
    void forked(CheckpointKey key, String child) {
        index.put(FORK + key + "|" + child, child);
    }

    /**
     * Prunes the due checkpoints of a context. Ends at an unreadable value, and keeps what cannot be pruned.
     *
     * @param made the new checkpoint of the context
     * @param now record time of its patch
     * @return the written checkpoints: those with a new snapshot, then the stubs
     */
    List<Checkpoint> prune(CheckpointKey made, long now) {
        Budget budget = new Budget();
        try {
            prune(made, now, budget);
        } catch (UnreadableValueException e) {
            // The patch is applied.
        }
        return budget.written;
    }

    private void prune(CheckpointKey made, long now, Budget budget) {
        Map<String, Superseded> due = due(old(made), past(now) - millis);
        for (Map.Entry<String, Superseded> one : due.entrySet()) {
            if (!detachChildren(made.sibling(one.getKey()), one.getValue().child(), due.keySet(), budget)) {
                // A base with many children: the next patch continues.
                return;
            }
        }
        Instant time = Instant.ofEpochMilli(past(now));
        due.forEach((id, superseded) -> {
            index.delete(superseded.entry());
            budget.written.add(stub(made.sibling(id), time));
        });
    }

    /** Index entry of a superseded checkpoint, and its first child. */
    private record Superseded(String entry, String child) {}

    /** Returns the checkpoints superseded by a time, by ID; empty while pruning would not be worth a snapshot. */
    private Map<String, Superseded> due(String prefix, long until) {
        Map<String, Superseded> due = new LinkedHashMap<>();
        index.scan(prefix, (entry, child) -> {
            int bar = entry.indexOf('|', prefix.length());
            long time = Long.parseLong(entry, prefix.length(), bar, 10);
            if (time > (due.isEmpty() ? until - millis / 10 : until) || due.size() == MAX_PRUNED) {
                return false;
            }
            due.put(entry.substring(bar + 1), new Superseded(entry, child));
            return true;
        });
        return due;
    }

    /**
     * Ensures that the remaining children of a checkpoint can be rebuilt without it. Returns false if the budget is
     * exhausted.
     */
    private boolean detachChildren(CheckpointKey key, String first, Set<String> pruned, Budget budget) {
        if (!pruned.contains(first) && index.get(KEPT + key).isEmpty()) {
            if (!budget.remains()) {
                return false;
            }
            detach(key.sibling(first), budget);
            index.put(KEPT + key, first);
        }
        Map<String, String> forks = new LinkedHashMap<>();
        String prefix = FORK + key + "|";
        // By their keys, so that a child is not lost with an unreadable value.
        index.scanKeys(prefix, entry -> {
            String child = entry.substring(prefix.length());
            if (!pruned.contains(child)) {
                forks.put(entry, child);
            }
            return forks.size() <= MAX_SNAPSHOTS;
        });
        for (Map.Entry<String, String> fork : forks.entrySet()) {
            if (!budget.remains()) {
                return false;
            }
            detach(key.sibling(fork.getValue()), budget);
            index.delete(fork.getKey());
        }
        return true;
    }

    /** Ensures that a checkpoint, unless another client invented it, can be rebuilt without its ancestors. */
    private void detach(CheckpointKey key, Budget budget) {
        Checkpoint node = reader.checkpoint(key).orElse(null);
        budget.children--;
        if (node != null && node.getSnapshot() == null && node.getPrunedAt() == null) {
            Checkpoint whole = SnapshotPolicy.with(
                    node, 0, reader.cached(key).orElseThrow().state());
            nodes.put(key.toString(), whole);
            budget.bytes -= node.getStateBytes();
            budget.written.add(whole);
        }
    }

    /** Remaining writes of one call. */
    private static final class Budget {
        private final List<Checkpoint> written = new ArrayList<>();
        private int children = MAX_SNAPSHOTS;
        private long bytes = MAX_SNAPSHOT_BYTES;

        boolean remains() {
            return children > 0 && bytes > 0;
        }
    }

    private Checkpoint stub(CheckpointKey key, Instant time) {
        Checkpoint node = reader.existing(key);
        List<String> forks = new ArrayList<>();
        index.scanKeys(FORK + key + "|", forks::add);
        forks.forEach(index::delete);
        index.delete(KEPT + key);
        Checkpoint stub = SnapshotPolicy.copy(node);
        stub.setOperations(List.of());
        stub.setDeltaBytes(0L);
        stub.setSnapshot(null);
        stub.setSetters(null);
        stub.setPrunedAt(time);
        nodes.put(key.toString(), stub);
        reader.evict(key);
        return stub;
    }

    private long past(long now) {
        return Math.max(0, Math.min(now, clock.getAsLong()));
    }

    private static String old(CheckpointKey key) {
        return OLD + CheckpointKey.prefix(key.namespace(), key.context());
    }
}
