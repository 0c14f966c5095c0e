package dev.parley.query.http;

import dev.parley.operations.progress.ProgressMonitor;
import dev.parley.operations.progress.SourceProgress;
import dev.parley.query.read.LocalViews;
import dev.parley.query.read.Views;
import dev.parley.query.read.ViewsUnavailableException;
import dev.parley.topology.views.ViewStores;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Ready when every Kafka Streams application of the process is RUNNING, which is after its stores are restored, and the
 * views, if it has them, answer.
 */
public final class StreamsReadiness implements Readiness {

    private final Map<String, KafkaStreams> streams;
    private final Optional<LocalViews> views;
    private final ProgressMonitor monitor;

    /**
     * @param streams the applications by name, in the order in which they are to be named
     * @param views what must answer; empty where there are none
     * @param monitor whether the applications make progress
     */
    public StreamsReadiness(Map<String, KafkaStreams> streams, Optional<LocalViews> views, ProgressMonitor monitor) {
        this.streams = new LinkedHashMap<>(streams);
        this.views = views;
        this.monitor = monitor;
    }

    @Override
    public Optional<SourceProgress> progress() {
        return monitor.progress();
    }

    @Override
    public List<Part> vital() {
        List<Part> parts = new ArrayList<>();
        streams.forEach((name, application) -> parts.add(part(name, application.state(), monitor.problem(name))));
        return parts;
    }

    @Override
    public List<Part> parts() {
        List<Part> parts = vital();
        views.ifPresent(stores -> {
            parts.add(stores(stores.active()));
            ViewStores.PARTITIONED.forEach(store -> parts.add(store(stores, store)));
        });
        return parts;
    }

    /** An application by its state, and by what keeps it from making progress. */
    public static Part part(String name, KafkaStreams.State state, Optional<String> problem) {
        Part part = part(name, state);
        if (problem.isEmpty()) {
            return part;
        }
        return new Part(
                name,
                part.status() == Status.READY ? Status.STALLED : part.status(),
                part.detail() + " " + problem.get());
    }

    public static Part part(String name, KafkaStreams.State state) {
        Status status = switch (state) {
            case RUNNING -> Status.READY;
            case CREATED, REBALANCING -> Status.STARTING;
            case PENDING_SHUTDOWN, NOT_RUNNING, PENDING_ERROR, ERROR -> Status.FAILED;
        };
        return new Part(name, status, "Kafka Streams is " + state + ".");
    }

    /**
     * What this process owns of a store, and how far the rest of what lies here is: copies, and what is being restored.
     */
    static Part store(LocalViews views, String store) {
        SortedMap<Integer, Long> rest = views.lags(store);
        try {
            SortedSet<Integer> owned = views.readable(store);
            rest.keySet().removeAll(owned);
            return new Part(store, Status.READY, "Owns the partitions " + owned + "." + behind(rest));
        } catch (ViewsUnavailableException e) {
            return new Part(store, Status.STARTING, e.getMessage() + behind(rest));
        }
    }

    private static String behind(SortedMap<Integer, Long> lags) {
        return lags.isEmpty() ? "" : " Others here, with the changes that they lack: " + lags + ".";
    }

    private static Part stores(Views views) {
        try {
            views.accounting();
            return new Part("stores", Status.READY, "The views can be read.");
        } catch (ViewsUnavailableException e) {
            return new Part("stores", Status.STARTING, e.getMessage());
        }
    }
}
