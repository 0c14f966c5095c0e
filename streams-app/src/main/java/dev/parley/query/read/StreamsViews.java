package dev.parley.query.read;

import dev.parley.topology.setup.Topics;
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
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The views of a running application of {@link dev.parley.topology.views.ViewsTopology} in this process. */
public final class StreamsViews implements LocalViews, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamsViews.class);
    private static final Duration EVERY = Duration.ofMillis(500);
    /** What was measured longer ago says nothing. */
    private static final Duration OLDEST = Duration.ofSeconds(10);

    private final KafkaStreams application;
    private final Topics topics;
    private final ScheduledExecutorService measuring = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "parley-view-lags");
        thread.setDaemon(true);
        return thread;
    });
    private volatile Measured measured = new Measured(Instant.EPOCH, Map.of());

    /** The lags of one moment, by store and partition. */
    private record Measured(Instant time, Map<String, SortedMap<Integer, Long>> lags) {}

    /**
     * @param application the application, started or not
     * @param topics how values are read
     */
    public StreamsViews(KafkaStreams application, Topics topics) {
        this.application = application;
        this.topics = topics;
        // The brokers are asked how far the changelogs go; no request waits for that.
        measuring.scheduleWithFixedDelay(this::measure, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
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
    public Views of(String store, Set<Integer> partitions, boolean copies) {
        return views(copies, Map.of(store, partitions));
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
        return last.time().plus(OLDEST).isBefore(Instant.now())
                ? new TreeMap<>()
                : new TreeMap<>(last.lags().getOrDefault(store, new TreeMap<>()));
    }

    private Views views(boolean copies, Map<String, Set<Integer>> only) {
        return new KafkaViews(new StreamsStores(application, copies, only), topics);
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
            // Not running, or the brokers do not answer: what was measured last grows old.
            LOG.debug("Cannot measure how far the views are: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        measuring.shutdownNow();
    }
}
