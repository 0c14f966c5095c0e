package dev.parley.topology.views.read;

import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.ThreadUtils;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The stores of a running application of the views. A background thread measures the lags. */
public final class StreamsStores implements LocalStores, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamsStores.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    /** Older measurements are not used. */
    private static final Duration MAX_AGE = Duration.ofSeconds(10);

    private final KafkaStreams application;
    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(ThreadUtils.createThreadFactory("parley-view-lags", true));
    private volatile Measured measured = new Measured(System.nanoTime() - MAX_AGE.toNanos(), Map.of());

    /** Lags by store and partition, at one time by {@link System#nanoTime}. */
    private record Measured(long nanos, Map<String, SortedMap<Integer, Long>> lags) {}

    /** @param application the application, started or not */
    public StreamsStores(KafkaStreams application) {
        this.application = application;
        // Measuring asks the brokers for the ends of the changelogs; no request waits for it.
        executor.scheduleWithFixedDelay(this::measure, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> partition(String store, int partition, boolean standbys) {
        StoreQueryParameters<ReadOnlyKeyValueStore<Bytes, byte[]>> parameters =
                parameters(store).withPartition(partition);
        return application.store(standbys ? parameters.enableStaleStores() : parameters);
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> global(String store) {
        return application.store(parameters(store));
    }

    @Override
    public int count(String store) {
        return count(application, store);
    }

    @Override
    public SortedSet<Integer> readable(String store, boolean standbys) {
        SortedSet<Integer> readable = new TreeSet<>();
        int count = count(store);
        for (int partition = 0; partition < count; partition++) {
            try {
                // Kafka Streams returns a store for any partition, and throws only when it is read.
                partition(store, partition, standbys).approximateNumEntries();
                readable.add(partition);
            } catch (InvalidStateStoreException e) {
                // Owned by another instance, or not assigned.
            }
        }
        return readable;
    }

    @Override
    public SortedMap<Integer, Long> lags(String store) {
        Measured last = measured;
        return System.nanoTime() - last.nanos() >= MAX_AGE.toNanos()
                ? new TreeMap<>()
                : new TreeMap<>(last.lags().getOrDefault(store, new TreeMap<>()));
    }

    private static StoreQueryParameters<ReadOnlyKeyValueStore<Bytes, byte[]>> parameters(String store) {
        return StoreQueryParameters.fromNameAndType(store, QueryableStoreTypes.keyValueStore());
    }

    private void measure() {
        try {
            Map<String, SortedMap<Integer, Long>> lags = new TreeMap<>();
            application.allLocalStorePartitionLags().forEach((store, partitions) -> {
                SortedMap<Integer, Long> lagging = new TreeMap<>();
                partitions.forEach((partition, lag) -> lagging.put(partition, lag.offsetLag()));
                lags.put(store, lagging);
            });
            measured = new Measured(System.nanoTime(), lags);
        } catch (KafkaException | IllegalStateException e) {
            // Not running, or the brokers are unavailable: the last measurement expires.
            LOG.debug("Cannot measure the lags of the views: {}", e.getMessage());
        }
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

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
