package dev.parley.query.read;

import dev.parley.topology.setup.ChainPartitioner;
import dev.parley.topology.views.ViewStores;
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
 * @param application the application
 * @param copies whether standbys, and stores that are being restored, are read too; else only what this process is the
 *     owner of and has whole
 * @param only the partitions of a store that {@link #all} reads, each of which must be readable; of a store that is not
 *     named, all that are
 */
public record StreamsStores(KafkaStreams application, boolean copies, Map<String, Set<Integer>> only)
        implements LocalStores {

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> ofChain(String store, String chain) {
        return partition(store, ChainPartitioner.partition(chain, partitions(application, store)));
    }

    @Override
    public List<ReadOnlyKeyValueStore<Bytes, byte[]>> all(String store) {
        Set<Integer> partitions = only.get(store);
        return (partitions == null ? readable(store) : partitions)
                .stream().map(partition -> partition(store, partition)).toList();
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> whole(String store) {
        return application.store(parameters(store));
    }

    /** The partitions of a store that can be read here now. */
    SortedSet<Integer> readable(String store) {
        SortedSet<Integer> readable = new TreeSet<>();
        int count = partitions(application, store);
        for (int partition = 0; partition < count; partition++) {
            try {
                // Kafka Streams gives away a store that is not here, and says so when it is read.
                partition(store, partition).approximateNumEntries();
                readable.add(partition);
            } catch (InvalidStateStoreException e) {
                // Another process has it, or nobody yet.
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
        return copies ? parameters.enableStaleStores() : parameters;
    }

    /**
     * How many partitions a store has, all processes together.
     *
     * @throws ViewsUnavailableException when the processes have not shared them out yet
     */
    public static int partitions(KafkaStreams application, String store) {
        AtomicInteger count = new AtomicInteger();
        locate(application, store, "", count);
        if (count.get() == 0) {
            throw new ViewsUnavailableException(
                    "The partitions of the store " + store + " are not assigned yet.", null);
        }
        return count.get();
    }

    /** Who has a chain; NOT_AVAILABLE when nobody knows. */
    public static KeyQueryMetadata locate(KafkaStreams application, String chain) {
        return locate(application, ViewStores.AUDIT, chain, new AtomicInteger());
    }

    private static KeyQueryMetadata locate(KafkaStreams application, String store, String chain, AtomicInteger count) {
        try {
            return application.<String>queryMetadataForKey(store, chain, (topic, key, value, partitions) -> {
                count.set(partitions);
                return Optional.of(Set.of(ChainPartitioner.partition(key, partitions)));
            });
        } catch (IllegalStateException e) {
            throw new ViewsUnavailableException("Kafka Streams does not run.", e);
        }
    }
}
