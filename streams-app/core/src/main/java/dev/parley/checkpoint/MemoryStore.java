package dev.parley.checkpoint;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * A store in memory, for offline use and tests. Not thread-safe.
 *
 * @param <V> type of the values
 */
public final class MemoryStore<V> implements SortedStore<V> {
    private final TreeMap<String, V> entries = new TreeMap<>();

    public MemoryStore() {}

    @Override
    public Optional<V> get(String key) {
        return Optional.ofNullable(entries.get(key));
    }

    @Override
    public void put(String key, V value) {
        entries.put(key, value);
    }

    @Override
    public void delete(String key) {
        entries.remove(key);
    }

    @Override
    public void scan(String prefix, BiPredicate<String, V> visitor) {
        for (Map.Entry<String, V> entry : entries.tailMap(prefix, true).entrySet()) {
            if (!entry.getKey().startsWith(prefix) || !visitor.test(entry.getKey(), entry.getValue())) {
                return;
            }
        }
    }
}
