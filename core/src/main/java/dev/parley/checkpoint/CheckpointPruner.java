package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Forgets what superseded checkpoints hold, and nothing that another needs. A checkpoint is superseded when the first
 * patch is applied to it; one that no patch was applied to is kept. What is left of a pruned checkpoint is a stub: its
 * place in the tree, its hash and the time of its pruning. Before that, each child of it that is kept gets a snapshot,
 * so that every checkpoint that is no stub can still be rebuilt.
 *
 * <p>A context is pruned when a patch is applied in it: one that nobody writes does not grow. Nothing is pruned before
 * a tenth of the time has come together, because each pruning may cost a snapshot.
 *
 * <p>Index keys: {@code old|namespace|context|time|id} has the superseded checkpoints by the time when they were;
 * {@code fork|} and a checkpoint's key and a child's id has its children but the first, unless they got a snapshot;
 * {@code kept|} and a checkpoint's key says that its first child did.
 */
final class CheckpointPruner {
    /** Most checkpoints that one patch prunes: they are written in its transaction. */
    static final int MOST = 500;

    /** Maximum number of children that one patch gives a snapshot. */
    static final int KEPT_CHILDREN = 100;

    /** Maximum bytes of the snapshots that one patch adds, except that one may be larger. */
    static final long KEPT_BYTES = 8L << 20;

    private static final String OLD = "old|";
    private static final String KEPT = "kept|";
    private static final String FORK = "fork|";

    private final SortedStore<Checkpoint> nodes;
    private final SortedStore<String> index;
    private final CheckpointReader reader;
    private final long millis;
    private final LongSupplier clock;

    /**
     * The retention over its stores.
     *
     * @param millis how long a superseded checkpoint is kept, in record time
     * @param clock milliseconds since the epoch: a future timestamp must not prune recent checkpoints
     */
    CheckpointPruner(
            SortedStore<Checkpoint> nodes,
            SortedStore<String> index,
            CheckpointReader reader,
            long millis,
            LongSupplier clock) {
        this.nodes = nodes;
        this.index = index;
        this.reader = reader;
        this.millis = millis;
        this.clock = clock;
    }

    /** Notes that a checkpoint got its first child, by a patch of that record time. */
    void superseded(CheckpointKey key, long now) {
        if (!key.isRoot()) {
            index.put(old(key) + ParkingLot.padded(past(now)) + "|" + key.id(), key.id());
        }
    }

    /** Notes that a checkpoint got a child that is not its first. */
    void forked(CheckpointKey key, String child) {
        index.put(FORK + key + "|" + child, child);
    }

    /**
     * Prunes what is due in a context.
     *
     * @param made the checkpoint that was made in it
     * @param now record time of the patch that made it
     * @return the checkpoints that were written: those that got a snapshot, then the stubs
     */
    List<Checkpoint> prune(CheckpointKey made, long now) {
        Map<String, String> due = due(old(made), past(now) - millis);
        Budget budget = new Budget();
        for (String id : due.keySet()) {
            if (!keepChildren(made.sibling(id), due.keySet(), budget)) {
                // A base with many children: the next patch continues.
                return budget.written;
            }
        }
        List<Checkpoint> written = budget.written;
        Instant time = Instant.ofEpochMilli(past(now));
        due.forEach((id, entry) -> {
            index.delete(entry);
            written.add(stub(made.sibling(id), time));
        });
        return written;
    }

    /** What was superseded by then, with its index entry; nothing while it is not worth a snapshot. */
    private Map<String, String> due(String prefix, long until) {
        Map<String, String> due = new LinkedHashMap<>();
        index.scan(prefix, (entry, id) -> {
            long time = Long.parseLong(entry, prefix.length(), entry.indexOf('|', prefix.length()), 10);
            if (time > (due.isEmpty() ? until - millis / 10 : until) || due.size() == MOST) {
                return false;
            }
            due.put(id, entry);
            return true;
        });
        return due;
    }

    /**
     * Makes sure that the children of a checkpoint, except those that are pruned with it, can be rebuilt without it;
     * false if the budget ends.
     */
    private boolean keepChildren(CheckpointKey key, Set<String> pruned, Budget budget) {
        Optional<String> first = index.get(Checkpoints.child(key));
        if (first.isPresent()
                && !pruned.contains(first.get())
                && index.get(KEPT + key).isEmpty()) {
            if (!budget.remains()) {
                return false;
            }
            keep(key.sibling(first.get()), budget);
            index.put(KEPT + key, first.get());
        }
        Map<String, String> forks = new LinkedHashMap<>();
        index.scan(FORK + key + "|", (entry, child) -> {
            if (!pruned.contains(child)) {
                forks.put(entry, child);
            }
            return forks.size() <= KEPT_CHILDREN;
        });
        for (Map.Entry<String, String> fork : forks.entrySet()) {
            if (!budget.remains()) {
                return false;
            }
            keep(key.sibling(fork.getValue()), budget);
            index.delete(fork.getKey());
        }
        return true;
    }

    /** Makes sure that a checkpoint can be rebuilt without those above it. */
    private void keep(CheckpointKey key, Budget budget) {
        Checkpoint node = reader.checkpoint(key).orElseThrow();
        budget.children--;
        if (node.getSnapshot() == null && node.getPrunedAt() == null) {
            Checkpoint whole =
                    SnapshotPolicy.with(node, 0, reader.head(key).orElseThrow().state());
            nodes.put(key.toString(), whole);
            budget.bytes -= node.getStateBytes();
            budget.written.add(whole);
        }
    }

    /** What one call may still write. */
    private static final class Budget {
        private final List<Checkpoint> written = new ArrayList<>();
        private int children = KEPT_CHILDREN;
        private long bytes = KEPT_BYTES;

        boolean remains() {
            return children > 0 && bytes > 0;
        }
    }

    private Checkpoint stub(CheckpointKey key, Instant time) {
        Checkpoint node = reader.checkpoint(key).orElseThrow();
        List<String> forks = new ArrayList<>();
        index.scan(FORK + key + "|", (entry, child) -> forks.add(entry));
        forks.forEach(index::delete);
        index.delete(KEPT + key);
        index.delete(Checkpoints.child(key));
        Checkpoint stub = new Checkpoint(
                node.getNamespace(),
                node.getContext(),
                node.getId(),
                node.getParent(),
                node.getPatch(),
                node.getPatchHash(),
                node.getSender(),
                List.of(),
                node.getSource(),
                node.getOrdinal(),
                node.getDepth(),
                node.getHash(),
                node.getStateBytes(),
                0L,
                null,
                null,
                node.getReleasedBy(),
                time);
        nodes.put(key.toString(), stub);
        reader.forget(key);
        return stub;
    }

    private long past(long now) {
        return Math.max(0, Math.min(now, clock.getAsLong()));
    }

    private static String old(CheckpointKey key) {
        return OLD + CheckpointKey.prefix(key.namespace(), key.context());
    }
}
