package dev.parley.server.api;

import dev.parley.protocol.Glosses;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.view.CursorSeal;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.cluster.DistributedViews;
import dev.parley.server.cluster.PeerAuthenticator;
import dev.parley.server.cluster.PeerEndpoint;
import dev.parley.server.cluster.Routing;
import dev.parley.server.feature.Contributions;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.health.Accounts;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.StatisticBounds;
import dev.parley.server.http.BodyAdmission;
import dev.parley.server.http.BoundAddress;
import dev.parley.server.http.ConsoleFiles;
import dev.parley.server.http.HttpListener;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.PeerService;
import dev.parley.server.http.ProblemHandler;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.ResponseBudget;
import dev.parley.server.http.Route;
import dev.parley.server.http.RouteHandler;
import dev.parley.server.http.SecurityFilter;
import dev.parley.server.http.Sessions;
import dev.parley.server.metrics.Metrics;
import dev.parley.stage.StageSettings;
import dev.parley.topology.topics.PublicContent;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The HTTP API and the web console: binds listener, security, {@link Routes}, and the service for peers together. */
public final class QueryServer implements AutoCloseable {

    private static final String CURSORS = "parley.cursor.v1";

    private final HttpListener listener;
    private final RequestExecutor executor;
    private final List<RunningFeature> features;
    private final String scheme;

    private QueryServer(HttpListener listener, RequestExecutor executor, List<RunningFeature> features, String scheme) {
        this.listener = listener;
        this.executor = executor;
        this.features = features;
        this.scheme = scheme;
    }

    /**
     * The components that the API reads and calls.
     *
     * @param views views of all instances; if empty, the API has only routes about the instance itself
     * @param readiness status of the components of this instance
     * @param metrics metrics for Prometheus; the server does not close them
     * @param glosses glosses of messages
     * @param readers the content that readers may see
     * @param search whether the views maintain the search index
     * @param topics names of the deployment's topics
     * @param settings settings of the pipeline, with which replays judge
     * @param features features of the instance; they need views, and the server does not close them
     */
    public record Components(
            Optional<DistributedViews> views,
            Readiness readiness,
            Accounts accounts,
            StatisticBounds statistics,
            Metrics metrics,
            Glosses glosses,
            PublicContent readers,
            boolean search,
            TopicNames topics,
            StageSettings settings,
            List<RunningFeature> features) {

        /** Copies the list. */
        public Components {
            features = List.copyOf(features);
        }
    }

    /**
     * Starts the API.
     *
     * @param boundAddress address, which the server releases when it stops
     * @param httpSecurity access rules and limits
     */
    public static QueryServer start(BoundAddress boundAddress, Components components, HttpSecurity httpSecurity) {
        ResponseBudget.Memory memory =
                new ResponseBudget.Memory(httpSecurity.limits().responseBytes());
        RequestExecutor executor = new RequestExecutor(
                httpSecurity.limits().requests(), httpSecurity.limits().waiting());
        CursorSeal seal = CursorSeal.of(
                httpSecurity.peers().map(keys -> keys.derive(CURSORS)).orElse(List.of()));
        Optional<ViewApi> api = components
                .views()
                .map(views ->
                        new ViewApi(new Routing(views), executor, components.topics(), components.readers(), seal));
        Contributions contributions = Routes.of(components, api, httpSecurity);
        List<Route> routes = contributions.routes();
        Optional<ConsoleFiles> console = components.views().flatMap(views -> ConsoleFiles.load());
        Optional<Sessions> sessions = console.flatMap(files -> Sessions.of(httpSecurity));
        BodyAdmission admission = new BodyAdmission(httpSecurity.authentication(), sessions, routes);
        SecurityFilter securityFilter = new SecurityFilter(httpSecurity, sessions, contributions.accessLog(), executor);
        ProblemHandler problems =
                new ProblemHandler(components.metrics(), components.views().isPresent());
        Optional<PeerService> peers = httpSecurity
                .peers()
                .flatMap(keys -> components
                        .views()
                        .map(views -> new PeerService(
                                new PeerAuthenticator(
                                        keys, () -> views.metadata().self(), Clock.systemUTC()),
                                new PeerEndpoint(views.local()),
                                api.orElseThrow()::query,
                                executor,
                                memory,
                                problems)));
        HttpListener listener = HttpListener.start(
                new RouteHandler(routes, console, sessions, securityFilter, memory, problems),
                boundAddress,
                httpSecurity,
                peers,
                admission,
                problems);
        return new QueryServer(
                listener, executor, components.features(), httpSecurity.tls().isPresent() ? "https" : "http");
    }

    public int port() {
        return listener.port();
    }

    /** Address of the API, without a trailing slash. */
    public URI uri() {
        String host = listener.address().host();
        return URI.create(scheme + "://" + (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port());
    }

    /**
     * Stops accepting requests, and stops after those in progress.
     *
     * @param timeout maximum wait for requests in progress
     */
    public void close(Duration timeout) {
        features.forEach(RunningFeature::endStreams);
        try {
            listener.close(timeout);
        } finally {
            executor.close();
        }
    }

    /** Stops and aborts requests in progress. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
