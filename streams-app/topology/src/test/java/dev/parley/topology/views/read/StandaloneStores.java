package dev.parley.topology.views.read;

import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** The stores of an instance that owns all partitions, each store as one. */
public final class StandaloneStores {
    private StandaloneStores() {}

    /**
     * Stores of one partition.
     *
     * @param stores returns a store by name
     */
    public static LocalStores of(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores) {
        return new LocalStores() {
            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> forChain(String store, String chain) {
                return stores.apply(store);
            }

            @Override
            public List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions(String store) {
                return List.of(stores.apply(store));
            }

            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> global(String store) {
                return stores.apply(store);
            }
        };
    }
}
