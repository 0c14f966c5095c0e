package dev.parley.checkpoint;

import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * A store of values under string keys, sorted so that keys with a common prefix are adjacent and digits sort by value.
 *
 * @param <V> type of the values; neither the store nor its callers change a value after {@link #put}
 */
public interface SortedStore<V> {

    /**
     * Returns the value of a key.
     *
     * @throws UnreadableValueException if it is no value of the store's type
     */
    Optional<V> get(String key);

    void put(String key, V value);

    /** Removes a key if present. */
    void delete(String key);

    /**
     * Visits the entries whose keys start with the prefix, in key order, until the visitor returns false. The visitor
     * must not change the store. Omits values that are none of the store's type, or
     * fails at the first one, as the store was created.
     */
    void scan(String prefix, BiPredicate<String, V> visitor);

    /** Visits keys as {@link #scan} does, but also those of values that are none of the store's type. */
    default void scanKeys(String prefix, Predicate<String> visitor) {
        scan(prefix, (key, value) -> visitor.test(key));
    }
}
