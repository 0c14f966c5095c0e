package dev.parley.server.health;

import dev.parley.server.cluster.DistributedViews;
import dev.parley.server.metrics.PipelineMeters;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Readiness of an instance: every Kafka Streams application is RUNNING, which includes restored stores, and the views,
 * if there are any, can be read. A stopping instance is not ready, so that it gets no requests, but not failed either.
 */
public final class StreamsReadiness implements Readiness {

    private static final String PEERS = "peers";

    private final Map<String, KafkaStreams> streams;
    private final Optional<DistributedViews> views;
    private final ProgressMonitor monitor;
    private final PipelineMeters pipeline;
    private volatile boolean stopping;

    /**
     * @param streams the applications by name, in the order of the report
     * @param views views of all instances; empty if this one has none
     * @param monitor progress of the applications
     * @param pipeline meters of the pipeline of this instance
     */
    public StreamsReadiness(
            Map<String, KafkaStreams> streams,
            Optional<DistributedViews> views,
            ProgressMonitor monitor,
            PipelineMeters pipeline) {
        this.streams = new LinkedHashMap<>(streams);
        this.views = views;
        this.monitor = monitor;
        this.pipeline = pipeline;
    }

    /** Reports the instance as stopping from now on. */
    public void stopping() {
        stopping = true;
    }

    @Override
    public Optional<SourceProgress> progress() {
        return monitor.progress();
    }

    @Override
    public List<Integer> unsignedLogs() {
        return pipeline.unsignedLogs();
    }

    @Override
    public List<Part> vital() {
        List<Part> parts = new ArrayList<>();
        streams.forEach((name, application) ->
                parts.add(marked(part(name, application.state(), monitor.problem(name), monitor.heldBack(name)))));
        return parts;
    }

    @Override
    public List<Part> parts() {
        List<Part> parts = vital();
        views.ifPresent(instances -> {
            parts.add(marked(readable(instances.local())));
            ViewStores.PARTITIONED.forEach(store -> parts.add(marked(store(instances.local(), store))));
            parts.add(marked(peers(instances)));
        });
        return parts;
    }

    private Part marked(Part part) {
        return stopping ? new Part(part.name(), Status.STOPPING, "The instance is stopping. " + part.detail()) : part;
    }

    /**
     * The status of an application.
     *
     * @param problem what stops its progress
     * @param note what does not affect its readiness
     */
    public static Part part(String name, KafkaStreams.State state, Optional<String> problem, Optional<String> note) {
        Status status = switch (state) {
            case RUNNING -> problem.isPresent() ? Status.STALLED : Status.READY;
            case CREATED, REBALANCING -> Status.STARTING;
            case PENDING_SHUTDOWN, NOT_RUNNING, PENDING_ERROR, ERROR -> Status.FAILED;
        };
        String more = problem.map(text -> " " + text).orElse("")
                + note.map(text -> " " + text).orElse("");
        return new Part(name, status, "Kafka Streams is " + state + "." + more);
    }

    /** The status of a store: the partitions that this instance owns, and the lag of the others on it. */
    static Part store(Views views, String store) {
        SortedMap<Integer, Long> rest = views.lags(store);
        try {
            SortedSet<Integer> owned = views.readable(store);
            rest.keySet().removeAll(owned);
            return new Part(store, Status.READY, "Owns the partitions " + owned + "." + otherLags(rest));
        } catch (ViewsUnavailableException e) {
            return new Part(store, Status.STARTING, e.getMessage() + otherLags(rest));
        }
    }

    private static String otherLags(SortedMap<Integer, Long> lags) {
        return lags.isEmpty() ? "" : " Lag of other local partitions: " + lags + ".";
    }

    /** The status of the other instances. It ends no readiness: what this instance has can be read. */
    static Part peers(DistributedViews views) {
        try {
            Map<String, String> problems = views.problems();
            return problems.isEmpty()
                    ? new Part(PEERS, Status.READY, "No problem with other instances is known.")
                    : new Part(
                            PEERS,
                            Status.PARTIAL,
                            "The partitions of the views at " + String.join(", ", problems.keySet())
                                    + " cannot be read. "
                                    + problems.values().iterator().next());
        } catch (ViewsUnavailableException e) {
            return new Part(PEERS, Status.STARTING, e.getMessage());
        }
    }

    private static Part readable(Views views) {
        try {
            views.accounting();
            return new Part("stores", Status.READY, "The views can be read.");
        } catch (ViewsUnavailableException e) {
            return new Part("stores", Status.STARTING, e.getMessage());
        }
    }
}
