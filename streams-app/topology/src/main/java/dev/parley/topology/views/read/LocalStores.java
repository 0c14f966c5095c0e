package dev.parley.topology.views.read;

import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.SortedMap;
import java.util.SortedSet;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The view stores on this instance: the partitions that it owns, and its standbys. Every method throws {@link
 * ViewsUnavailableException}, or an exception of Kafka Streams, if it cannot answer now.
 */
public interface LocalStores {

    /**
     * A partition of a store.
     *
     * @param standbys whether it may be a standby or still be restored; otherwise this instance must own it
     */
    ReadOnlyKeyValueStore<Bytes, byte[]> partition(String store, int partition, boolean standbys);

    /** A global store: every instance has all of it. */
    ReadOnlyKeyValueStore<Bytes, byte[]> global(String store);

    /** The number of partitions of a store in the whole deployment. */
    int count(String store);

    /**
     * The partitions of a store that this instance can read now.
     *
     * @param standbys as in {@link #partition}
     */
    SortedSet<Integer> readable(String store, boolean standbys);

    /** Lag of each partition of a store on this instance, as last measured; in changes. */
    SortedMap<Integer, Long> lags(String store);
}
