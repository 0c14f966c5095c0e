package dev.parley.topology.pipeline;

import dev.parley.checkpoint.SortedStore;
import dev.parley.checkpoint.UnreadableValueException;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.kafka.UnreadableValues;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Adapts a key-value store of Kafka Streams for the stages, and reports each key once whose value it cannot read. Each
 * start of a task creates a new adapter. {@link PipelineStores#isValid} says which other entries are unreadable.
 *
 * @param reported keys that were reported
 */
record KafkaSortedStore<V>(KeyValueStore<String, V> store, Set<String> reported) implements SortedStore<V> {
    private static final StringSerializer PREFIXES = new StringSerializer();

    /** Bounds the memory; with more keys, some are reported again. */
    private static final int MAX_REPORTED = 10_000;

    KafkaSortedStore(KeyValueStore<String, V> store) {
        this(store, new HashSet<>());
    }

    @Override
    public Optional<V> get(String key) {
        try {
            return Optional.ofNullable(checked(key, store.get(key)));
        } catch (UnreadableRecordException e) {
            throw unreadable(key, e);
        }
    }

    private V checked(String key, V value) {
        if (value != null && !PipelineStores.isValid(store.name(), key, value)) {
            throw new UnreadableRecordException("it is no value of this key");
        }
        return value;
    }

    private UnreadableValueException unreadable(String key, UnreadableRecordException cause) {
        report(key, cause, "what needs it becomes a dead letter until it is repaired");
        return UnreadableValues.inStore(store.name(), key, cause);
    }

    private void report(String key, UnreadableRecordException cause, String consequence) {
        if (reported.size() == MAX_REPORTED) {
            reported.clear();
        }
        if (reported.add(key)) {
            UnreadableValues.reportStored(store.name(), key, cause.getMessage(), consequence);
        }
    }

    /** Returns a value; empty also if it cannot be read, which is reported. */
    Optional<V> getReadable(String key) {
        try {
            return get(key);
        } catch (UnreadableValueException e) {
            return Optional.empty();
        }
    }

    @Override
    public void put(String key, V value) {
        store.put(key, value);
    }

    @Override
    public void delete(String key) {
        // A delete would read the old value.
        store.put(key, null);
    }

    @Override
    public void scan(String prefix, BiPredicate<String, V> visitor) {
        try (KeyValueIterator<String, V> found = store.prefixScan(prefix, PREFIXES)) {
            visit(found, visitor);
        }
    }

    @Override
    public void scanKeys(String prefix, Predicate<String> visitor) {
        try (KeyValueIterator<String, V> found = store.prefixScan(prefix, PREFIXES)) {
            while (found.hasNext() && visitor.test(found.peekNextKey())) {
                skip(found);
            }
        }
    }

    private static void skip(KeyValueIterator<?, ?> found) {
        try {
            found.next();
        } catch (UnreadableRecordException e) {
            // Only its key is read.
        }
    }

    /** Visits the entries from a key on, or all for null, as a scan does. Returns whether the visitor took the last. */
    boolean scanFrom(String key, BiPredicate<String, V> visitor) {
        try (KeyValueIterator<String, V> found = store.range(key, null)) {
            visit(found, visitor);
            return !found.hasNext();
        }
    }

    private void visit(KeyValueIterator<String, V> found, BiPredicate<String, V> visitor) {
        while (found.hasNext()) {
            String key = found.peekNextKey();
            V value;
            try {
                value = checked(key, found.next().value);
            } catch (UnreadableRecordException e) {
                if (store.name().equals(PipelineStores.ITEMS)) {
                    // A conversation without some of its items would be judged differently.
                    throw unreadable(key, e);
                }
                report(key, e, "it is passed over");
                continue;
            }
            if (!visitor.test(key, value)) {
                return;
            }
        }
    }
}
