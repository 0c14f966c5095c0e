package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import org.pcollections.TreePMap;

/**
 * Rebuilds the state at any checkpoint: one snapshot and a bounded run of deltas (ARCHITECTURE "Checkpoints"). Keeps the states in use in
 * memory, and in memory nothing that the store does not have. C0 exists in every context and is empty. For one thread.
 */
public final class CheckpointReader {
    private static final ByteBuffer ROOT_HASH =
            Operations.hash(ByteBuffer.allocate(0), CheckpointKey.ROOT, "", List.of());
    private static final Head ROOT = new Head(ROOT_HASH, 0, 0, 0, TreePMap.empty());

    private final Function<String, Optional<Checkpoint>> nodes;
    private final HeadCache cache;

    /**
     * A reader of a store.
     *
     * @param nodes the checkpoint under the text form of a {@link CheckpointKey}
     * @param cacheBytes bytes of names and values of the states that are kept in memory
     */
    public CheckpointReader(Function<String, Optional<Checkpoint>> nodes, long cacheBytes) {
        this.nodes = nodes;
        this.cache = new HeadCache(cacheBytes);
    }

    /** Whether the checkpoint exists. */
    public boolean exists(CheckpointKey key) {
        return key.isRoot()
                || cache.get(key) != null
                || nodes.apply(key.toString()).isPresent();
    }

    /** The checkpoint's record; for the root one that no store has. */
    public Optional<Checkpoint> checkpoint(CheckpointKey key) {
        return key.isRoot() ? Optional.of(root(key)) : nodes.apply(key.toString());
    }

    /** The definitions at a checkpoint, ordered by name, not to be changed; empty when the checkpoint does not exist. */
    public Optional<SortedMap<String, String>> state(CheckpointKey key) {
        return head(key).map(Head::state);
    }

    /** The value of a name at a checkpoint; empty when the checkpoint does not exist or does not define it. */
    public Optional<String> value(CheckpointKey key, String name) {
        return head(key).map(head -> head.state().get(name));
    }

    /** Whether the checkpoint exists and defines the name. */
    public boolean defines(CheckpointKey key, String name) {
        return head(key).map(head -> head.state().containsKey(name)).orElse(false);
    }

    /** How one checkpoint's state differs from another's; empty when one of them does not exist. */
    public Optional<StateDiff> diff(CheckpointKey before, CheckpointKey after) {
        return state(before).flatMap(from -> state(after).map(to -> StateDiff.between(from, to)));
    }

    /** Forgets the states in memory. To be called when the store may have gone back behind what was read from it. */
    public void clear() {
        cache.clear();
    }

    /** The state in memory, rebuilt if need be. */
    Optional<Head> head(CheckpointKey key) {
        Head known = key.isRoot() ? ROOT : cache.get(key);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<Checkpoint> node = nodes.apply(key.toString());
        if (node.isEmpty()) {
            return Optional.empty();
        }
        Head head = rebuild(key, node.get());
        cache.put(key, head);
        return Optional.of(head);
    }

    /** Keeps a state in memory; the root's is never lost. */
    void keep(CheckpointKey key, Head head) {
        cache.put(key, head);
    }

    /** The snapshot above a checkpoint, or at it, and the checkpoints below the snapshot down to it. */
    record Run(TreePMap<String, String> snapshot, List<Checkpoint> nodes) {}

    /** The run that a rebuild of this checkpoint would read, without help from memory. */
    Run run(CheckpointKey key) {
        Deque<Checkpoint> path = new ArrayDeque<>();
        CheckpointKey at = key;
        while (!at.isRoot()) {
            Checkpoint node = existing(at);
            if (node.getSnapshot() != null) {
                return new Run(persistent(node.getSnapshot()), new ArrayList<>(path));
            }
            path.push(node);
            at = at.sibling(node.getParent());
        }
        return new Run(TreePMap.empty(), new ArrayList<>(path));
    }

    private Head rebuild(CheckpointKey key, Checkpoint wanted) {
        Deque<Checkpoint> path = new ArrayDeque<>();
        Checkpoint node = wanted;
        Head start = null;
        while (start == null) {
            if (node.getSnapshot() != null) {
                start = new Head(
                        node.getHash(), node.getDepth(), node.getStateBytes(), 0, persistent(node.getSnapshot()));
            } else {
                path.push(node);
                CheckpointKey parent = key.sibling(node.getParent());
                start = parent.isRoot() ? ROOT : cache.get(parent);
                node = start == null ? existing(parent) : node;
            }
        }
        TreePMap<String, String> state = start.state();
        long run = start.run();
        for (Checkpoint delta : path) {
            state = Operations.apply(delta.getOperations(), state);
            run += Operations.weight(delta.getOperations());
        }
        return new Head(wanted.getHash(), wanted.getDepth(), wanted.getStateBytes(), run, state);
    }

    private Checkpoint existing(CheckpointKey key) {
        return nodes.apply(key.toString())
                .orElseThrow(() -> new IllegalStateException("the store lacks checkpoint " + key + ", a parent in it"));
    }

    private static TreePMap<String, String> persistent(Map<String, String> snapshot) {
        return snapshot instanceof TreePMap<String, String> shared ? shared : TreePMap.from(snapshot);
    }

    private static Checkpoint root(CheckpointKey key) {
        return new Checkpoint(
                key.namespace(),
                key.context(),
                key.id(),
                null,
                null,
                ByteBuffer.allocate(0),
                null,
                List.of(),
                null,
                0L,
                0L,
                ROOT_HASH.duplicate(),
                0L,
                0L,
                Map.of());
    }
}
