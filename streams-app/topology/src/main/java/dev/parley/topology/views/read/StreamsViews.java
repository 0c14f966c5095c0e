package dev.parley.topology.views.read;

import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.ThreadUtils;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The views of a running application of {@link dev.parley.topology.views.ViewsTopology} on this instance. A background
 * thread measures the lags.
 */
public final class StreamsViews implements LocalViews, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamsViews.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    /** Older measurements are not used. */
    private static final Duration MAX_AGE = Duration.ofSeconds(10);

    private final KafkaStreams application;
    private final Topics topics;
    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(ThreadUtils.createThreadFactory("parley-view-lags", true));
    private volatile Measured measured = new Measured(Instant.EPOCH, Map.of());

    /** Lags by store and partition, at one time. */
    private record Measured(Instant time, Map<String, SortedMap<Integer, Long>> lags) {}

    /**
     * @param application the application, started or not
     * @param topics decode the values of the stores
     */
    public StreamsViews(KafkaStreams application, Topics topics) {
        this.application = application;
        this.topics = topics;
        // Measuring asks the brokers for the ends of the changelogs; no request waits for it.
        executor.scheduleWithFixedDelay(this::measure, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public Views active() {
        return views(false, Map.of());
    }

    @Override
    public Views withStandbys() {
        return views(true, Map.of());
    }

    @Override
    public Views of(String store, Set<Integer> partitions, boolean standbys) {
        return views(standbys, Map.of(store, partitions));
    }

    @Override
    public SortedSet<Integer> readable(String store) {
        try {
            return new StreamsStores(application, false, Map.of()).readable(store);
        } catch (IllegalStateException | InvalidStateStoreException e) {
            throw new ViewsUnavailableException("The store " + store + " cannot be read now.", e);
        }
    }

    @Override
    public SortedMap<Integer, Long> lags(String store) {
        Measured last = measured;
        return last.time().plus(MAX_AGE).isBefore(Instant.now())
                ? new TreeMap<>()
                : new TreeMap<>(last.lags().getOrDefault(store, new TreeMap<>()));
    }

    private Views views(boolean standbys, Map<String, Set<Integer>> selected) {
        return new KafkaViews(new StreamsStores(application, standbys, selected), topics);
    }

    private void measure() {
        try {
            Map<String, SortedMap<Integer, Long>> lags = new TreeMap<>();
            application.allLocalStorePartitionLags().forEach((store, partitions) -> {
                SortedMap<Integer, Long> lagging = new TreeMap<>();
                partitions.forEach((partition, lag) -> lagging.put(partition, lag.offsetLag()));
                lags.put(store, lagging);
            });
            measured = new Measured(Instant.now(), lags);
        } catch (KafkaException | IllegalStateException e) {
            // Not running, or the brokers are unavailable: the last measurement expires.
            LOG.debug("Cannot measure the lags of the views: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
