package dev.parley.topology.views.read;

import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The partitions of the view stores that this instance reads. Every method throws {@link ViewsUnavailableException}, or
 * an exception of Kafka Streams, if the store cannot be read now.
 */
public interface LocalStores {

    /** The partition of a store that holds a chain. */
    ReadOnlyKeyValueStore<Bytes, byte[]> forChain(String store, String chain);

    /** The partitions of a store over which lists are read. */
    List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions(String store);

    /** A global store: every instance holds all of it. */
    ReadOnlyKeyValueStore<Bytes, byte[]> global(String store);
}
