package dev.parley.topology.views.read;

import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The stores of a running application of {@link dev.parley.topology.views.ViewsTopology}.
 *
 * @param standbys whether to read standbys and stores that are being restored; otherwise only partitions that this
 *     instance owns and has restored
 * @param selected the partitions of a store that {@link #partitions} returns, each of which must be readable; for a
 *     store without an entry, all readable ones
 */
public record StreamsStores(KafkaStreams application, boolean standbys, Map<String, Set<Integer>> selected)
        implements LocalStores {

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> forChain(String store, String chain) {
        return partition(store, ChainPartitioner.partition(chain, count(application, store)));
    }

    @Override
    public List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions(String store) {
        Set<Integer> numbers = selected.containsKey(store) ? selected.get(store) : readable(store);
        return numbers.stream().map(partition -> partition(store, partition)).toList();
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> global(String store) {
        return application.store(parameters(store));
    }

    /** The partitions of a store that this instance can read now. */
    SortedSet<Integer> readable(String store) {
        SortedSet<Integer> readable = new TreeSet<>();
        int count = count(application, store);
        for (int partition = 0; partition < count; partition++) {
            try {
                // Kafka Streams returns a store for any partition, and throws only when it is read.
                partition(store, partition).approximateNumEntries();
                readable.add(partition);
            } catch (InvalidStateStoreException e) {
                // Owned by another instance, or not assigned.
            }
        }
        return readable;
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> partition(String store, int partition) {
        return application.store(parameters(store).withPartition(partition));
    }

    private StoreQueryParameters<ReadOnlyKeyValueStore<Bytes, byte[]>> parameters(String store) {
        StoreQueryParameters<ReadOnlyKeyValueStore<Bytes, byte[]>> parameters =
                StoreQueryParameters.fromNameAndType(store, QueryableStoreTypes.keyValueStore());
        return standbys ? parameters.enableStaleStores() : parameters;
    }

    /**
     * The number of partitions of a store in the whole deployment.
     *
     * @throws ViewsUnavailableException if the partitions are not assigned yet
     */
    public static int count(KafkaStreams application, String store) {
        AtomicInteger count = new AtomicInteger();
        locate(application, store, "", count);
        if (count.get() == 0) {
            throw new ViewsUnavailableException("The partitions of the store " + store + " are not assigned yet.");
        }
        return count.get();
    }

    /** The instances with the partition of a key; {@link KeyQueryMetadata#NOT_AVAILABLE} if unknown. */
    public static KeyQueryMetadata locate(KafkaStreams application, String store, String key) {
        return locate(application, store, key, new AtomicInteger());
    }

    private static KeyQueryMetadata locate(KafkaStreams application, String store, String key, AtomicInteger count) {
        try {
            return application.<String>queryMetadataForKey(store, key, (topic, located, value, partitions) -> {
                count.set(partitions);
                return Optional.of(Set.of(ChainPartitioner.partition(located, partitions)));
            });
        } catch (IllegalStateException e) {
            throw new ViewsUnavailableException("Kafka Streams is not running.", e);
        }
    }
}
