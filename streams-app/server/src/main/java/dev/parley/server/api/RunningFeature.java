package dev.parley.server.api;

import dev.parley.server.http.AccessLog;
import dev.parley.server.http.BodyAdmission;
import dev.parley.server.http.Route;
import java.util.List;
import java.util.Optional;

/** A feature of the server that has started: what it adds to the HTTP API, and its Kafka clients. */
public interface RunningFeature extends AutoCloseable {

    /** Its routes. Called once, before the API starts. */
    default List<Route> routes(FeatureContext context) {
        return List.of();
    }

    /** Records who reads; empty to record nothing. */
    default Optional<AccessLog> accessLog() {
        return Optional.empty();
    }

    /** Heads that witnesses have cosigned; empty without witnesses. */
    default Optional<CosignedHeads> cosignedHeads() {
        return Optional.empty();
    }

    /** Limits of a path with large bodies; empty if it has none. */
    default Optional<BodyAdmission.Limits> largeBodies() {
        return Optional.empty();
    }

    /** Ends responses that have no end of their own. Called when the API stops, before {@link #close}. */
    default void endStreams() {}

    /** Closes its clients, after the API has stopped. */
    @Override
    default void close() {}
}
