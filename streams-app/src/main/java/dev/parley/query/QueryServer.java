package dev.parley.query;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The HTTP API on a port. */
public final class QueryServer implements AutoCloseable {

    private final Javalin server;
    private final RequestExecutor executor;
    private final Address address;
    private final String scheme;

    private QueryServer(Javalin server, RequestExecutor executor, Address address, String scheme) {
        this.server = server;
        this.executor = executor;
        this.address = address;
        this.scheme = scheme;
    }

    /**
     * What the API is made of.
     *
     * @param views what it reads, in this process and others; empty in a process that has none, which answers about
     *     itself alone
     * @param readiness how far the application is
     * @param redaction which bodies it hides from readers
     * @param metrics what Prometheus reads; the server does not close it
     * @param redrive who sends dead letters again; empty where nobody does
     * @param redactor who has payloads forgotten; empty where nobody does
     */
    public record Parts(
            Optional<DistributedViews> views,
            Readiness readiness,
            Redaction redaction,
            Metrics metrics,
            Optional<Redrive> redrive,
            Optional<Redactor> redactor) {}

    /**
     * Starts the API.
     *
     * @param address bound address, which the server releases when it stops
     * @param doors access rules and limits
     */
    public static QueryServer start(Address address, Parts parts, Doors doors) {
        int responseBytes = doors.limits().responseBytes();
        ResponseBudget.Budgets budgets =
                new ResponseBudget.Budgets(ResponseBudget.Memory.ofHeap(responseBytes), responseBytes);
        RequestExecutor executor = new RequestExecutor(
                doors.limits().requests(), doors.limits().shares().waiting());
        Optional<ViewApi> api = parts.views().map(views -> new ViewApi(new Routing(views), executor));
        List<Route> routes = Routes.of(parts, api);
        Gate gate = new Gate(doors, executor);
        Problems problems = new Problems(parts.metrics(), parts.views().isPresent());
        Optional<PeerService> peers = doors.peers()
                .flatMap(keys -> parts.views()
                        .map(views -> new PeerService(
                                new PeerAuthenticator(
                                        keys, () -> views.cluster().self(), Clock.systemUTC()),
                                new PeerEndpoint(views),
                                api.orElseThrow()::query,
                                executor,
                                budgets,
                                problems)));
        Javalin server = Javalin.create(config -> {
            quiet(config);
            Listener.configure(config, address, doors, peers, parts.metrics());
            problems.configure(config);
            config.routes.before(gate::enter);
            config.routes.before(budgets::open);
            routes.forEach(route -> config.routes.addHttpHandler(route.method(), route.path(), gate.guard(route)));
        });
        server.start();
        return new QueryServer(server, executor, address, doors.tls().isPresent() ? "https" : "http");
    }

    /** The port on which it listens. */
    public int port() {
        return address.port();
    }

    /** Address of the API, without a slash at the end. */
    public URI uri() {
        String host = address.host();
        return URI.create(scheme + "://" + (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port());
    }

    /**
     * Stops it: no new requests are taken, and those in progress may end.
     *
     * @param grace how long they have
     */
    public void close(Duration grace) {
        server.jettyServer().server().setStopTimeout(grace.toMillis());
        server.stop();
        executor.close();
    }

    /** Stops it; requests in progress are ended. */
    @Override
    public void close() {
        server.stop();
        executor.close();
    }

    private static void quiet(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
    }
}
