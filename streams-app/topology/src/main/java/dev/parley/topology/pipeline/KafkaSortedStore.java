package dev.parley.topology.pipeline;

import dev.parley.checkpoint.SortedStore;
import dev.parley.checkpoint.UnreadableValueException;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.kafka.UnreadableValues;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Adapts a key-value store of Kafka Streams for the stages, and reports values that it cannot read.
 *
 * @param complete whether a scan fails at such a value, instead of passing it over
 */
record KafkaSortedStore<V>(KeyValueStore<String, V> store, boolean complete) implements SortedStore<V> {
    private static final StringSerializer PREFIXES = new StringSerializer();

    /** A store whose scans pass over values that cannot be read. */
    KafkaSortedStore(KeyValueStore<String, V> store) {
        this(store, false);
    }

    @Override
    public Optional<V> get(String key) {
        try {
            return Optional.ofNullable(store.get(key));
        } catch (UnreadableRecordException e) {
            throw UnreadableValues.inStore(store.name(), key, e);
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

    /** Visits the entries of an iterator of the store, as a scan does. */
    void visit(KeyValueIterator<String, V> found, BiPredicate<String, V> visitor) {
        while (found.hasNext()) {
            String key = found.peekNextKey();
            V value;
            try {
                value = found.next().value;
            } catch (UnreadableRecordException e) {
                if (complete) {
                    throw UnreadableValues.inStore(store.name(), key, e);
                }
                UnreadableValues.reportStored(store.name(), key, e.getMessage(), "it is passed over");
                continue;
            }
            if (!visitor.test(key, value)) {
                return;
            }
        }
    }
}
