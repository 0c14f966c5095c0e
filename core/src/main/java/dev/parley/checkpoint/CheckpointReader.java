package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspOperation;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import kotlinx.collections.immutable.ExtensionsKt;

/**
 * Rebuilds the state at any checkpoint: one snapshot and a bounded run of deltas (ARCHITECTURE "Checkpoints"). Keeps
 * the states in use in memory, and in memory nothing that the store does not have. C0 exists in every context and is
 * empty. For one thread.
 */
public final class CheckpointReader {
    private static final ByteBuffer ROOT_HASH =
            PatchOperations.hash(ByteBuffer.allocate(0), CheckpointKey.ROOT, "", List.of());
    private static final CachedState ROOT = new CachedState(ROOT_HASH, 0, 0, 0, ExtensionsKt.persistentHashMapOf());

    private static final int MAX_STEPS = 10_000;

    private final Function<String, Optional<Checkpoint>> nodes;
    private final StateCache cache;
    private final boolean prunes;

    /**
     * A reader of a store.
     *
     * @param nodes the checkpoint under the text form of a {@link CheckpointKey}
     * @param cacheBytes memory for the states that are kept, about
     */
    public CheckpointReader(Function<String, Optional<Checkpoint>> nodes, long cacheBytes) {
        this(nodes, new StateCacheBudget(cacheBytes), false);
    }

    /**
     * A reader of a store that is written, and pruned, by these settings.
     *
     * @param nodes the checkpoint under the text form of a {@link CheckpointKey}
     */
    public CheckpointReader(Function<String, Optional<Checkpoint>> nodes, CheckpointSettings settings) {
        this(nodes, settings.heads(), settings.prunes());
    }

    private CheckpointReader(Function<String, Optional<Checkpoint>> nodes, StateCacheBudget heads, boolean prunes) {
        this.nodes = nodes;
        this.cache = new StateCache(heads);
        this.prunes = prunes;
    }

    /** Whether the checkpoint exists; a pruned one does. */
    public boolean exists(CheckpointKey key) {
        return key.isRoot()
                || cache.get(key) != null
                || nodes.apply(key.toString()).isPresent();
    }

    /** The checkpoint's record; for the root one that no store has. */
    public Optional<Checkpoint> checkpoint(CheckpointKey key) {
        return key.isRoot() ? Optional.of(root(key)) : nodes.apply(key.toString());
    }

    /**
     * The definitions at a checkpoint, ordered by name, not to be changed; empty when the checkpoint does not exist or
     * was pruned.
     */
    public Optional<SortedMap<String, String>> state(CheckpointKey key) {
        return read(key).map(state -> {
            SortedMap<String, String> values = new TreeMap<>();
            state.forEach((name, definition) -> values.put(name, definition.value()));
            return Collections.unmodifiableSortedMap(values);
        });
    }

    /**
     * The definitions at a checkpoint with who set them, ordered by name, not to be changed; empty when the checkpoint
     * does not exist or was pruned. Costs as much as {@link #state}, unless a snapshot written before setters were kept
     * stands between: then the way to the root is walked.
     */
    public Optional<SortedMap<String, Definition>> definitions(CheckpointKey key) {
        return read(key).map(state -> Collections.unmodifiableSortedMap(setBy(key, new TreeMap<>(state))));
    }

    /** The value of a name at a checkpoint; empty when the checkpoint does not exist or does not define it. */
    public Optional<String> value(CheckpointKey key, String name) {
        return head(key).map(cachedState -> cachedState.state().get(name)).map(Definition::value);
    }

    /**
     * Which names the checkpoint defines: none when it does not exist; any when it was pruned, for nobody can say that
     * it does not. Reads the store once, for however many names; what it answers holds until the next patch is applied.
     */
    public Predicate<String> names(CheckpointKey key) {
        Optional<CachedState> head = head(key);
        if (head.isPresent()) {
            return head.get().state()::containsKey;
        }
        boolean pruned = nodes.apply(key.toString()).isPresent();
        return name -> pruned;
    }

    /**
     * Where a walk towards the root ended.
     *
     * @param next id of the checkpoint to go on from; empty at the root, and at a pruned checkpoint
     * @param pruned the pruned checkpoint at which it ended
     */
    public record Walk(Optional<String> next, Optional<Checkpoint> pruned) {}

    /**
     * Walks from a checkpoint towards the root, through at most 10,000 checkpoints, and visits those whose patches
     * changed a definition, the latest first. What the patches of a pruned checkpoint changed is unknown, so the walk
     * ends there.
     *
     * @param limit maximum number of visited checkpoints
     * @param changes takes a checkpoint; the walk ends before one that it does not take
     * @throws IllegalStateException if the store lacks a checkpoint on the way
     */
    public Walk walk(CheckpointKey from, String name, int limit, Predicate<Checkpoint> changes) {
        CheckpointKey at = from;
        int taken = 0;
        for (int steps = 0; !at.isRoot(); steps++) {
            if (taken >= limit || steps == MAX_STEPS) {
                return new Walk(Optional.of(at.id()), Optional.empty());
            }
            Checkpoint node = existing(at);
            if (node.getPrunedAt() != null) {
                return new Walk(Optional.empty(), Optional.of(node));
            }
            if (node.getOperations().stream()
                    .anyMatch(operation -> operation.getName().equals(name))) {
                if (!changes.test(node)) {
                    return new Walk(Optional.of(at.id()), Optional.empty());
                }
                taken++;
            }
            at = at.sibling(node.getParent());
        }
        return new Walk(Optional.empty(), Optional.empty());
    }

    /** Forgets the states in memory. To be called when the store may have gone back behind what was read from it. */
    public void clear() {
        cache.clear();
    }

    /** The state in memory, rebuilt if need be. */
    Optional<CachedState> head(CheckpointKey key) {
        return find(key, Function.identity(), node -> {
            Rebuilt rebuilt = rebuild(key, node);
            CachedState cachedState = new CachedState(
                    node.getHash(),
                    node.getDepth(),
                    node.getStateBytes(),
                    rebuilt.run(),
                    ExtensionsKt.toPersistentHashMap(rebuilt.state()));
            cache.put(key, cachedState);
            return cachedState;
        });
    }

    /** The state for one who only reads it: that in memory, or one that is not kept. */
    private Optional<Map<String, Definition>> read(CheckpointKey key) {
        return find(key, CachedState::state, node -> rebuild(key, node).state());
    }

    private <T> Optional<T> find(CheckpointKey key, Function<CachedState, T> known, Function<Checkpoint, T> stored) {
        CachedState cachedState = key.isRoot() ? ROOT : cache.get(key);
        if (cachedState != null && (!prunes || key.isRoot())) {
            return Optional.of(known.apply(cachedState));
        }
        Optional<Checkpoint> node = nodes.apply(key.toString());
        if (node.isEmpty() || node.get().getPrunedAt() != null) {
            // What this memory still has would be gone after a restart; a verdict must not depend on it.
            cache.remove(key);
            return Optional.empty();
        }
        return Optional.of(cachedState != null ? known.apply(cachedState) : stored.apply(node.get()));
    }

    void forget(CheckpointKey key) {
        cache.remove(key);
    }

    /** Keeps a state in memory; the root's is never lost. */
    void keep(CheckpointKey key, CachedState cachedState) {
        cache.put(key, cachedState);
    }

    /**
     * The snapshot above a checkpoint, or at it, as a map that nobody else has, and the checkpoints below the snapshot
     * down to it.
     */
    record Run(Map<String, Definition> snapshot, List<Checkpoint> nodes) {}

    /** The run that a rebuild of this checkpoint would read, without help from memory. */
    Run run(CheckpointKey key) {
        Deque<Checkpoint> path = new ArrayDeque<>();
        CheckpointKey at = key;
        while (!at.isRoot()) {
            Checkpoint node = existing(at);
            if (node.getSnapshot() != null) {
                return new Run(snapshot(node), new ArrayList<>(path));
            }
            path.push(node);
            at = at.sibling(node.getParent());
        }
        return new Run(new HashMap<>(), new ArrayList<>(path));
    }

    /** A state that nobody else has, and the weight of the deltas since the nearest snapshot. */
    private record Rebuilt(Map<String, Definition> state, long run) {}

    private Rebuilt rebuild(CheckpointKey key, Checkpoint wanted) {
        Deque<Checkpoint> path = new ArrayDeque<>();
        Checkpoint node = wanted;
        Map<String, Definition> state = null;
        long run = 0;
        while (state == null) {
            if (node.getSnapshot() != null) {
                state = snapshot(node);
            } else {
                path.push(node);
                CheckpointKey parent = key.sibling(node.getParent());
                CachedState known = parent.isRoot() ? ROOT : cache.get(parent);
                if (known == null) {
                    node = existing(parent);
                } else {
                    state = new HashMap<>(known.state());
                    run = known.run();
                }
            }
        }
        for (Checkpoint delta : path) {
            PatchOperations.applyTo(state, delta.getOperations(), delta.getOrdinal());
            run += PatchOperations.weight(delta.getOperations());
        }
        return new Rebuilt(state, run);
    }

    private Checkpoint existing(CheckpointKey key) {
        return nodes.apply(key.toString())
                .orElseThrow(() -> new IllegalStateException("the store lacks checkpoint " + key + ", a parent in it"));
    }

    /** The state with the setters that no snapshot knew, looked up on the way to the root. */
    private SortedMap<String, Definition> setBy(CheckpointKey key, SortedMap<String, Definition> state) {
        Set<String> unknown = new HashSet<>();
        state.forEach((name, definition) -> {
            if (definition.setter() == Definition.UNKNOWN) {
                unknown.add(name);
            }
        });
        CheckpointKey at = key;
        while (!unknown.isEmpty() && !at.isRoot()) {
            Checkpoint node = existing(at);
            for (CspOperation operation : node.getOperations()) {
                if (unknown.remove(operation.getName())) {
                    String value = state.get(operation.getName()).value();
                    state.put(operation.getName(), new Definition(value, node.getOrdinal()));
                }
            }
            at = at.sibling(node.getParent());
        }
        return state;
    }

    private static Map<String, Definition> snapshot(Checkpoint node) {
        Map<String, String> values = node.getSnapshot();
        List<Long> setters = node.getSetters();
        boolean known = setters != null && setters.size() == values.size();
        String[] names = values.keySet().toArray(new String[0]);
        Arrays.sort(names);
        Map<String, Definition> state = new HashMap<>(names.length * 2);
        for (int i = 0; i < names.length; i++) {
            state.put(names[i], new Definition(values.get(names[i]), known ? setters.get(i) : Definition.UNKNOWN));
        }
        return state;
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
                Map.of(),
                List.of(),
                null,
                null);
    }
}
