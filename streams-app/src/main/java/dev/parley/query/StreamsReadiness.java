package dev.parley.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.KafkaStreams;

/** Ready when every Kafka Streams application of the process is RUNNING, which is after its stores are restored, and the views answer. */
public final class StreamsReadiness implements Readiness {

    private final Map<String, KafkaStreams> streams;
    private final Views views;

    /**
     * @param streams the applications by name, in the order in which they are to be named
     * @param views what must answer
     */
    public StreamsReadiness(Map<String, KafkaStreams> streams, Views views) {
        this.streams = new LinkedHashMap<>(streams);
        this.views = views;
    }

    @Override
    public List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        streams.forEach((name, application) -> parts.add(part(name, application.state())));
        parts.add(stores());
        return parts;
    }

    static Part part(String name, KafkaStreams.State state) {
        Status status = switch (state) {
            case RUNNING -> Status.READY;
            case CREATED, REBALANCING -> Status.STARTING;
            case PENDING_SHUTDOWN, NOT_RUNNING, PENDING_ERROR, ERROR -> Status.FAILED;
        };
        return new Part(name, status, "Kafka Streams is " + state + ".");
    }

    private Part stores() {
        try {
            views.accounting();
            return new Part("stores", Status.READY, "The views can be read.");
        } catch (ViewsUnavailable e) {
            return new Part("stores", Status.STARTING, e.getMessage());
        }
    }
}
