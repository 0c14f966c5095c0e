package dev.parley.query.read;

import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The view stores that this process has, by partition. All of it throws {@link ViewsUnavailableException} or an
 * exception of Kafka Streams for what cannot be read now.
 */
public interface LocalStores {

    /** The partition of a store that has this chain. */
    ReadOnlyKeyValueStore<Bytes, byte[]> ofChain(String store, String chain);

    /** Every partition of a store that this reads. */
    List<ReadOnlyKeyValueStore<Bytes, byte[]>> all(String store);

    /** A store that is not partitioned. */
    ReadOnlyKeyValueStore<Bytes, byte[]> whole(String store);

    /** Stores of one partition. */
    static LocalStores single(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores) {
        return new LocalStores() {
            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> ofChain(String store, String chain) {
                return stores.apply(store);
            }

            @Override
            public List<ReadOnlyKeyValueStore<Bytes, byte[]>> all(String store) {
                return List.of(stores.apply(store));
            }

            @Override
            public ReadOnlyKeyValueStore<Bytes, byte[]> whole(String store) {
                return stores.apply(store);
            }
        };
    }
}
