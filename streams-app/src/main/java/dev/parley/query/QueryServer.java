package dev.parley.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP API on a port. */
public final class QueryServer implements AutoCloseable {

    /** Where the API listens when nothing else is configured: reachable from this machine alone. */
    public static final String LOOPBACK = "127.0.0.1";

    static final String RETRY_AFTER_SECONDS = "2";

    private static final Logger LOG = LoggerFactory.getLogger(QueryServer.class);

    private final Javalin server;
    private final String host;

    private QueryServer(Javalin server, String host) {
        this.server = server;
        this.host = host;
    }

    /**
     * What the API is made of.
     *
     * @param views what it reads
     * @param readiness how far the application is
     * @param redaction which bodies it hides
     * @param metrics what Prometheus reads; the server does not close it
     */
    public record Parts(Views views, Readiness readiness, Redaction redaction, Metrics metrics) {}

    /**
     * Starts the API.
     *
     * @param host address to listen on, {@link #LOOPBACK} unless somebody else shall reach it: the API asks nobody who they are
     * @param port port to listen on; 0 for a free one, which {@link #port} tells
     * @throws io.javalin.util.JavalinBindException when it cannot listen there
     */
    public static QueryServer start(String host, int port, Parts parts) {
        Map<String, Handler> routes = routes(parts);
        Javalin server = Javalin.create(config -> {
            configure(config);
            routes.forEach(config.routes::get);
        });
        server.start(host, port);
        return new QueryServer(server, host);
    }

    /** The port on which it listens. */
    public int port() {
        return server.port();
    }

    /** Address of the API, without a slash at the end. */
    public URI uri() {
        return URI.create("http://" + (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port());
    }

    /** Stops it; requests in progress are ended. */
    @Override
    public void close() {
        server.stop();
    }

    /** Every path and what answers a GET there. */
    static Map<String, Handler> routes(Parts parts) {
        Conversations conversations = new Conversations(parts.views, parts.redaction);
        Contexts contexts = new Contexts(parts.views);
        DeadLetters deadLetters = new DeadLetters(parts.views, parts.redaction);
        Balance balance = new Balance(parts.views);
        Operations operations = new Operations(parts.readiness, parts.metrics);

        Map<String, Handler> routes = new LinkedHashMap<>();
        String conversation = "/v1/conversations/{namespace}/{protocol}/{conversation}";
        String context = "/v1/contexts/{namespace}/{context}";
        routes.put("/v1/conversations", json(conversations::list));
        routes.put(conversation, json(conversations::one));
        routes.put(conversation + "/messages", json(conversations::messages));
        routes.put(context + "/checkpoints", json(contexts::checkpoints));
        routes.put(context + "/checkpoints/{id}", json(contexts::checkpoint));
        routes.put(context + "/checkpoints/{id}/state", json(contexts::state));
        routes.put(context + "/state", json(contexts::stateAt));
        routes.put(context + "/diff", json(contexts::diff));
        routes.put("/v1/dead-letters", json(deadLetters::list));
        routes.put("/v1/accounting", json(balance::accounting));
        routes.put("/health/live", json(operations::live));
        routes.put("/health/ready", json(operations::ready));
        routes.put("/metrics", operations::metrics);
        routes.put("/openapi.yaml", operations::openApi);
        routes.put("/", json(request -> index(request, routes)));
        return routes;
    }

    private static ObjectNode index(Context request, Map<String, Handler> routes) {
        Parameters.of(request);
        ObjectNode answer = Json.object().put("name", "Parley");
        var links = answer.putArray("links");
        routes.keySet().forEach(links::add);
        return answer;
    }

    private static void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.jetty.modifyServer(jetty -> jetty.setErrorHandler(new UnreadableRequests()));
        config.routes.exception(Problem.class, (problem, request) -> answer(request, problem));
        config.routes.exception(
                InvalidCursor.class,
                (invalid, request) -> answer(
                        request,
                        Problem.of(
                                Problem.Code.INVALID_CURSOR,
                                "Parameter cursor is not the next of an earlier page of this query: "
                                        + invalid.getMessage() + ".")));
        config.routes.exception(
                ViewsUnavailable.class,
                (unavailable, request) -> answer(
                        request,
                        Problem.of(
                                Problem.Code.VIEWS_UNAVAILABLE,
                                unavailable.getMessage() + " /health/ready tells when.",
                                Map.of("Retry-After", RETRY_AFTER_SECONDS))));
        config.routes.exception(
                HttpResponseException.class, (refused, request) -> answer(request, refusal(refused, request)));
        config.routes.exception(Exception.class, (failure, request) -> {
            String id = UUID.randomUUID().toString();
            LOG.error("Request {} {} failed; id {}", request.method(), request.path(), id, failure);
            answer(
                    request,
                    Problem.of(
                            Problem.Code.INTERNAL, "The log of the application tells more under the id " + id + "."));
        });
    }

    private static Problem refusal(HttpResponseException refused, Context request) {
        return switch (refused.getStatus()) {
            case 404 ->
                Problem.of(
                        Problem.Code.UNKNOWN_PATH,
                        "There is nothing at " + request.path() + "; / lists what there is.");
            case 405 ->
                Problem.of(
                        Problem.Code.METHOD_NOT_ALLOWED,
                        request.path() + " takes GET and HEAD, not " + request.method() + ".",
                        Map.of("Allow", "GET, HEAD"));
            default -> Problem.of(Problem.Code.INVALID_REQUEST, refused.getMessage());
        };
    }

    private static Handler json(Function<Context, ObjectNode> answer) {
        return request -> {
            ObjectNode node = answer.apply(request);
            request.contentType("application/json").result(Json.bytes(node));
        };
    }

    private static void answer(Context request, Problem problem) {
        problem.headers().forEach(request::header);
        request.status(problem.code().status())
                .contentType("application/problem+json")
                .result(Json.bytes(body(problem, request.path())));
    }

    /** The RFC 9457 object. */
    static ObjectNode body(Problem problem, String instance) {
        return Json.object()
                .put("type", problem.code().type())
                .put("title", problem.code().title())
                .put("status", problem.code().status())
                .put("detail", problem.getMessage())
                .put("instance", instance)
                .put("code", problem.code().name());
    }
}
