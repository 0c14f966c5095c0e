package dev.parley.server.feature;

import dev.parley.server.auth.Caller;
import dev.parley.server.http.AccessLog;
import dev.parley.server.http.Route;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What the API of an instance consists of: the contributions of its features and of the API itself. */
public final class Contributions {

    private final List<Route> routes = new ArrayList<>();
    private final Map<String, Predicate<Caller>> capabilities = new TreeMap<>();
    private final Map<String, Supplier<?>> statusLines = new TreeMap<>();
    private Optional<AccessLog> accessLog = Optional.empty();
    private Optional<CosignedHeads> cosignedHeads = Optional.empty();

    /** Adds a route. {@link Route} says who may use it, whether reads are logged, and how large its bodies may be. */
    public Contributions route(Route route) {
        if (routes.stream()
                .anyMatch(known ->
                        known.method() == route.method() && known.path().equals(route.path()))) {
            throw new IllegalStateException("duplicate contribution " + route.method() + " " + route.path());
        }
        routes.add(route);
        return this;
    }

    /** Adds a route that is also a capability of the callers who may use it. */
    public Contributions route(String capability, Route route) {
        return route(route).capability(capability, route::allows);
    }

    /**
     * Adds a capability, which {@code /v1/whoami} lists so that a client shows callers only what they can use.
     *
     * @param allowed whether a caller has it
     */
    public Contributions capability(String name, Predicate<Caller> allowed) {
        return put(capabilities, name, allowed);
    }

    /**
     * Adds a line to {@code features} of {@code /v1/status}.
     *
     * @param line returns its current value, never null, which is written as JSON; called concurrently, and must not
     *     block
     */
    public Contributions statusLine(String name, Supplier<?> line) {
        return put(statusLines, name, line);
    }

    /** Sets what records the reads of routes that are logged. */
    public Contributions accessLog(AccessLog log) {
        accessLog = only(accessLog, log);
        return this;
    }

    /** Sets the heads that checkpoints and proofs use. */
    public Contributions cosignedHeads(CosignedHeads heads) {
        cosignedHeads = only(cosignedHeads, heads);
        return this;
    }

    private <V> Contributions put(Map<String, V> map, String name, V value) {
        if (map.putIfAbsent(name, value) != null) {
            throw new IllegalStateException("duplicate contribution " + name);
        }
        return this;
    }

    private static <V> Optional<V> only(Optional<V> present, V value) {
        if (present.isPresent()) {
            throw new IllegalStateException("duplicate contribution " + value);
        }
        return Optional.of(value);
    }

    /** All routes that were added so far. */
    public List<Route> routes() {
        return Collections.unmodifiableList(routes);
    }

    /** Whether a caller has each capability, by name. */
    public Map<String, Boolean> capabilities(Caller caller) {
        Map<String, Boolean> held = new TreeMap<>();
        capabilities.forEach((name, allowed) -> held.put(name, allowed.test(caller)));
        return held;
    }

    /** The current status lines, by name. */
    public Map<String, Object> statusLines() {
        Map<String, Object> lines = new TreeMap<>();
        statusLines.forEach((name, line) -> lines.put(name, line.get()));
        return lines;
    }

    /** What records reads; empty to record nothing. */
    public Optional<AccessLog> accessLog() {
        return accessLog;
    }

    /** The cosigned heads; empty without witnesses. */
    public Optional<CosignedHeads> cosignedHeads() {
        return cosignedHeads;
    }
}
