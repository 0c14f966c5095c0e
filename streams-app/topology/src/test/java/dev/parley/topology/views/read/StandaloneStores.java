package dev.parley.topology.views.read;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The stores of an instance that owns all partitions, each store as one.
 *
 * @param stores returns a store by name
 */
public record StandaloneStores(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores) implements LocalStores {

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> partition(String store, int partition, boolean standbys) {
        return stores.apply(store);
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> global(String store) {
        return stores.apply(store);
    }

    @Override
    public int count(String store) {
        return 1;
    }

    @Override
    public SortedSet<Integer> readable(String store, boolean standbys) {
        SortedSet<Integer> readable = new TreeSet<>();
        readable.add(0);
        return readable;
    }

    @Override
    public SortedMap<Integer, Long> lags(String store) {
        return new TreeMap<>();
    }
}
