package dev.parley.topology.views.read;

import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * Reads one store of the views: the partition that holds a chain for a lookup, all readable or selected ones for a
 * list. A failure of Kafka Streams or of the Schema Registry becomes a {@link ViewsUnavailableException}.
 *
 * @param stores stores of this instance
 * @param store name of the store
 * @param standbys whether to read standbys and partitions that are being restored
 * @param selected partitions that a list reads; empty for all readable ones
 * @param scope namespaces whose data the reader sees: a chain outside of it has no entries, and lists leave out what
 *     does not belong to it
 */
public record StoreReader(
        LocalStores stores, String store, boolean standbys, Optional<Set<Integer>> selected, NamespaceScope scope) {
    /** In place of a partition in which the reader may not see a chain. */
    private static final ReadOnlyKeyValueStore<Bytes, byte[]> NO_ENTRIES =
            Stores.inMemoryKeyValueStore("no-entries").get();

    /** Reads the partition of a chain. */
    public <R> R chain(String chain, Function<ReadOnlyKeyValueStore<Bytes, byte[]>, R> reader) {
        return available(() -> {
            ReadOnlyKeyValueStore<Bytes, byte[]> partition =
                    stores.partition(store, ChainPartitioner.partition(chain, stores.count(store)), standbys);
            return reader.apply(scope.includesChain(chain) ? partition : NO_ENTRIES);
        });
    }

    /** Reads the partitions of a list. */
    public <R> R partitions(Function<List<ReadOnlyKeyValueStore<Bytes, byte[]>>, R> reader) {
        return available(() -> reader.apply(selected.orElseGet(() -> stores.readable(store, standbys)).stream()
                .map(partition -> stores.partition(store, partition, standbys))
                .toList()));
    }

    /** Reads a global store: every instance has all of it. */
    public <R> R global(Function<ReadOnlyKeyValueStore<Bytes, byte[]>, R> reader) {
        return available(() -> reader.apply(stores.global(store)));
    }

    /** The value of a key in the partition of a chain. */
    public <R> Optional<R> value(String chain, Bytes key, Function<byte[], R> decoder) {
        return chain(chain, partition -> Optional.ofNullable(partition.get(key)).map(decoder));
    }

    /** The value of a key in any partition. */
    public <R> Optional<R> valueAnywhere(Bytes key, Function<byte[], R> decoder) {
        return partitions(all -> all.stream()
                .map(partition -> partition.get(key))
                .filter(Objects::nonNull)
                .map(decoder)
                .findFirst());
    }

    /** The partitions that this instance owns and can read now. */
    public SortedSet<Integer> readable() {
        return available(() -> stores.readable(store, false));
    }

    private <R> R available(Supplier<R> reader) {
        try {
            return reader.get();
        } catch (InvalidStateStoreException | IllegalStateException e) {
            throw new ViewsUnavailableException("The store " + store + " cannot be read now.", e);
        } catch (StreamsException e) {
            throw new ViewsUnavailableException("Kafka Streams cannot open the store " + store + " now.", e);
        } catch (KafkaException e) {
            throw new ViewsUnavailableException(
                    "The values of the store " + store + " cannot be decoded now; is the Schema Registry available?",
                    e);
        }
    }
}
