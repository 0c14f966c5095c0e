package dev.parley.checkpoint;

import java.util.Optional;
import java.util.function.BiPredicate;

/** A store in memory that counts what it is asked for. */
final class CountingStore<V> implements SortedStore<V> {
    private final MemoryStore<V> entries = new MemoryStore<>();

    /** How many values were got that were there. */
    int reads;

    /** How many scans were begun. */
    int scans;

    /** How many values scans showed. */
    int shown;

    @Override
    public Optional<V> get(String key) {
        Optional<V> value = entries.get(key);
        reads += value.isPresent() ? 1 : 0;
        return value;
    }

    @Override
    public void put(String key, V value) {
        entries.put(key, value);
    }

    @Override
    public void delete(String key) {
        entries.delete(key);
    }

    @Override
    public void scan(String prefix, BiPredicate<String, V> visitor) {
        scans++;
        entries.scan(prefix, (key, value) -> {
            shown++;
            return visitor.test(key, value);
        });
    }
}
