package dev.parley.query.api;

import dev.parley.protocol.Glosses;
import dev.parley.query.cluster.DistributedViews;
import dev.parley.query.cluster.PeerAuthenticator;
import dev.parley.query.cluster.PeerEndpoint;
import dev.parley.query.cluster.Routing;
import dev.parley.query.http.BoundAddress;
import dev.parley.query.http.HttpSecurity;
import dev.parley.query.http.Listener;
import dev.parley.query.http.Metrics;
import dev.parley.query.http.PeerService;
import dev.parley.query.http.ProblemHandler;
import dev.parley.query.http.Readiness;
import dev.parley.query.http.RequestExecutor;
import dev.parley.query.http.ResponseBudget;
import dev.parley.query.http.Route;
import dev.parley.query.http.SecurityFilter;
import dev.parley.query.read.MaskingPolicy;
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
    private final BoundAddress boundAddress;
    private final String scheme;

    private QueryServer(Javalin server, RequestExecutor executor, BoundAddress boundAddress, String scheme) {
        this.server = server;
        this.executor = executor;
        this.boundAddress = boundAddress;
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
     * @param glosses the glosses of messages
     */
    public record Parts(
            Optional<DistributedViews> views,
            Readiness readiness,
            MaskingPolicy redaction,
            Metrics metrics,
            Optional<Redriver> redrive,
            Optional<Redactor> redactor,
            Glosses glosses) {

        /** The parts of an API with the core vocabulary. */
        public Parts(
                Optional<DistributedViews> views,
                Readiness readiness,
                MaskingPolicy redaction,
                Metrics metrics,
                Optional<Redriver> redrive,
                Optional<Redactor> redactor) {
            this(views, readiness, redaction, metrics, redrive, redactor, Glosses.STANDARD);
        }
    }

    /**
     * Starts the API.
     *
     * @param boundAddress bound address, which the server releases when it stops
     * @param httpSecurity access rules and limits
     */
    public static QueryServer start(BoundAddress boundAddress, Parts parts, HttpSecurity httpSecurity) {
        int responseBytes = httpSecurity.limits().responseBytes();
        ResponseBudget.Budgets budgets =
                new ResponseBudget.Budgets(ResponseBudget.Memory.ofHeap(responseBytes), responseBytes);
        RequestExecutor executor = new RequestExecutor(
                httpSecurity.limits().requests(), httpSecurity.limits().shares().waiting());
        Optional<ViewApi> api = parts.views().map(views -> new ViewApi(new Routing(views), executor));
        List<Route> routes = Routes.of(parts, api);
        SecurityFilter securityFilter = new SecurityFilter(httpSecurity, executor);
        ProblemHandler problemHandler =
                new ProblemHandler(parts.metrics(), parts.views().isPresent());
        Optional<PeerService> peers = httpSecurity
                .peers()
                .flatMap(keys -> parts.views()
                        .map(views -> new PeerService(
                                new PeerAuthenticator(
                                        keys, () -> views.cluster().self(), Clock.systemUTC()),
                                new PeerEndpoint(views),
                                api.orElseThrow()::query,
                                executor,
                                budgets,
                                problemHandler)));
        Javalin server = Javalin.create(config -> {
            quiet(config);
            Listener.configure(config, boundAddress, httpSecurity, peers, parts.metrics());
            problemHandler.configure(config);
            config.routes.before(securityFilter::filter);
            config.routes.before(budgets::open);
            routes.forEach(route ->
                    config.routes.addHttpHandler(route.method(), route.path(), securityFilter.requireRole(route)));
        });
        server.start();
        return new QueryServer(
                server, executor, boundAddress, httpSecurity.tls().isPresent() ? "https" : "http");
    }

    /** The port on which it listens. */
    public int port() {
        return boundAddress.port();
    }

    /** Address of the API, without a slash at the end. */
    public URI uri() {
        String host = boundAddress.host();
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
