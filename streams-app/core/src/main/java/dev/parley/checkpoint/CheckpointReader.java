package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import kotlinx.collections.immutable.ExtensionsKt;
import kotlinx.collections.immutable.PersistentMap;

/**
 * Rebuilds the state of any checkpoint from one snapshot and a bounded number of deltas (see "Checkpoints" in
 * docs/architecture.md). Caches recently used states; the cache contains nothing that the store lacks. C0 exists in
 * every context and is empty. Not thread-safe.
 */
public final class CheckpointReader {
    private static final ByteBuffer ROOT_HASH =
            PatchOperations.hash(ByteBuffer.allocate(0), CheckpointKey.ROOT, "", List.of());
    private static final CachedState ROOT =
            new CachedState(ROOT_HASH, 0, 0, 0, List.of(), ExtensionsKt.persistentHashMapOf());

    private static final int MAX_STEPS = 10_000;

    private final Function<String, Optional<Checkpoint>> nodes;
    private final StateCache cache;
    private final boolean prunes;

    /**
     * Creates a reader of a store.
     *
     * @param nodes returns the checkpoint under the string form of a {@link CheckpointKey}
     * @param cacheBytes approximate memory for cached states
     */
    public CheckpointReader(Function<String, Optional<Checkpoint>> nodes, long cacheBytes) {
        this(nodes, new StateCacheBudget(cacheBytes), false);
    }

    /**
     * Creates a reader of a store that is written and pruned under these settings.
     *
     * @param nodes returns the checkpoint under the string form of a {@link CheckpointKey}
     */
    public CheckpointReader(Function<String, Optional<Checkpoint>> nodes, CheckpointSettings settings) {
        this(nodes, settings.stateCache(), settings.prunes());
    }

    private CheckpointReader(Function<String, Optional<Checkpoint>> nodes, StateCacheBudget budget, boolean prunes) {
        this.nodes = nodes;
        this.cache = new StateCache(budget);
        this.prunes = prunes;
    }

    /** Whether the checkpoint exists, even if it was pruned. */
    public boolean exists(CheckpointKey key) {
        return key.isRoot()
                || cache.get(key) != null
                || nodes.apply(key.toString()).isPresent();
    }

    /** Returns the record of a checkpoint. The root is in no store. */
    public Optional<Checkpoint> checkpoint(CheckpointKey key) {
        return key.isRoot() ? Optional.of(root(key)) : nodes.apply(key.toString());
    }

    /**
     * Returns the definitions at a checkpoint by name, unmodifiable; empty if the checkpoint does not exist or was
     * pruned.
     */
    public Optional<SortedMap<String, String>> state(CheckpointKey key) {
        return read(key).map(state -> {
            SortedMap<String, String> values = new TreeMap<>();
            state.forEach((name, definition) -> values.put(name, definition.value()));
            return Collections.unmodifiableSortedMap(values);
        });
    }

    /**
     * Returns the definitions at a checkpoint with their origins, by name, unmodifiable; empty if the checkpoint does
     * not exist or was pruned. Costs as much as {@link #state}.
     */
    public Optional<SortedMap<String, Definition>> definitions(CheckpointKey key) {
        return read(key).map(state -> Collections.unmodifiableSortedMap(new TreeMap<>(state)));
    }

    /** Returns the value of a name; empty if the checkpoint does not exist or does not define it. */
    public Optional<String> value(CheckpointKey key, String name) {
        return cached(key).map(cachedState -> cachedState.state().get(name)).map(Definition::value);
    }

    /**
     * Returns whether the checkpoint defines a name: false for every name if it does not exist, true for every name if
     * it was pruned, because its names are unknown. Reads the store once. The result is valid until the next patch is
     * applied.
     */
    public Predicate<String> names(CheckpointKey key) {
        Optional<CachedState> cached = cached(key);
        if (cached.isPresent()) {
            return cached.get().state()::containsKey;
        }
        boolean pruned = nodes.apply(key.toString()).isPresent();
        return name -> pruned;
    }

    /**
     * End of a walk towards the root.
     *
     * @param next ID of the checkpoint from which to continue; empty at the root and at a pruned checkpoint
     * @param pruned the pruned checkpoint at which it ended
     */
    public record Walk(Optional<String> next, Optional<Checkpoint> pruned) {}

    /**
     * Walks from a checkpoint towards the root, through at most 10,000 checkpoints, and visits those whose patches
     * changed a definition, latest first. Ends at a pruned checkpoint, whose changes are unknown.
     *
     * @param limit maximum number of visited checkpoints
     * @param changes visitor; the walk ends before a checkpoint for which it returns false
     * @throws UnreadableValueException if the store lacks a checkpoint on the way
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

    /** Returns the cached state; rebuilds and caches it if necessary. */
    Optional<CachedState> cached(CheckpointKey key) {
        return find(key, Function.identity(), node -> {
            CachedState cachedState = rebuild(key, node);
            cache.put(key, cachedState);
            return cachedState;
        });
    }

    /** Returns the state for reading, without caching it. */
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
            // A restart would clear the cache; a verdict must not depend on it.
            cache.remove(key);
            return Optional.empty();
        }
        return Optional.of(cachedState != null ? known.apply(cachedState) : stored.apply(node.get()));
    }

    void evict(CheckpointKey key) {
        cache.remove(key);
    }

    void put(CheckpointKey key, CachedState cachedState) {
        cache.put(key, cachedState);
    }

    private CachedState rebuild(CheckpointKey key, Checkpoint wanted) {
        Deque<Checkpoint> deltas = new ArrayDeque<>();
        Checkpoint node = wanted;
        CachedState state = null;
        while (state == null && node.getSnapshot() == null) {
            deltas.push(node);
            CheckpointKey parent = key.sibling(node.getParent());
            state = parent.isRoot() ? ROOT : cache.get(parent);
            node = state == null ? existing(parent) : node;
            if (node.getPrunedAt() != null) {
                throw new UnreadableValueException(
                        "checkpoint " + node.getId() + " was pruned, but "
                                + deltas.peek().getId() + " needs it",
                        null);
            }
        }
        if (state == null) {
            state = CachedState.whole(node, snapshot(node));
        }
        for (Checkpoint delta : deltas) {
            state = state.child(key.sibling(delta.getId()), delta);
        }
        return state;
    }

    Checkpoint existing(CheckpointKey key) {
        return nodes.apply(key.toString())
                .orElseThrow(() -> new UnreadableValueException(
                        "the store lacks checkpoint " + key + ", which has children", null));
    }

    private static PersistentMap<String, Definition> snapshot(Checkpoint node) {
        Map<String, String> values = node.getSnapshot();
        List<Long> setters = node.getSetters();
        if (setters.size() != values.size()) {
            throw new UnreadableValueException(
                    "checkpoint " + node.getId() + " has " + setters.size() + " setters for " + values.size()
                            + " definitions",
                    null);
        }
        String[] names = values.keySet().toArray(new String[0]);
        Arrays.sort(names);
        PersistentMap.Builder<String, Definition> state =
                ExtensionsKt.<String, Definition>persistentHashMapOf().builder();
        for (int i = 0; i < names.length; i++) {
            state.put(names[i], new Definition(values.get(names[i]), setters.get(i)));
        }
        return state.build();
    }

    private static Checkpoint root(CheckpointKey key) {
        Checkpoint root = new Checkpoint();
        root.setNamespace(key.namespace());
        root.setContext(key.context());
        root.setId(key.id());
        root.setPatchHash(ByteBuffer.allocate(0));
        root.setOperations(List.of());
        root.setHash(ROOT_HASH.duplicate());
        root.setSnapshot(Map.of());
        root.setSetters(List.of());
        return root;
    }
}
