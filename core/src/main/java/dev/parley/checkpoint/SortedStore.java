package dev.parley.checkpoint;

import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * What the checkpoints ask of a store: values under string keys, in an order that keeps keys of the same prefix
 * together and sorts digits.
 *
 * @param <V> values; what was put is not changed afterwards, neither by the store nor by who gets it
 */
public interface SortedStore<V> {

    /** The value under this key. */
    Optional<V> get(String key);

    /** Puts a value in place of the one under this key, if any. */
    void put(String key, V value);

    /** Removes what stands under this key, if anything does. */
    void delete(String key);

    /**
     * Visits what stands under keys that start with the prefix, in key order, until the visitor answers false. The
     * visitor does not change the store.
     */
    void scan(String prefix, BiPredicate<String, V> visitor);
}
