package dev.parley.query.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.parley.access.Caller;
import dev.parley.query.cluster.PeerRequest;
import dev.parley.query.cluster.ReadConsistency;
import dev.parley.query.cluster.Routing;
import dev.parley.query.cluster.RoutingScope;
import dev.parley.query.cluster.RoutingScope.AnyPartition;
import dev.parley.query.cluster.ViewAnswer;
import dev.parley.query.cluster.ViewAnswer.Absent;
import dev.parley.query.cluster.ViewAnswer.Content;
import dev.parley.query.cluster.ViewAnswer.Page;
import dev.parley.query.cluster.ViewAnswer.Refusal;
import dev.parley.query.cluster.ViewQuery;
import dev.parley.query.cluster.ViewResponse;
import dev.parley.query.http.Exchange;
import dev.parley.query.http.Json;
import dev.parley.query.http.ProblemException;
import dev.parley.query.http.RequestExecutor;
import dev.parley.query.http.RequestExecutor.Pool;
import dev.parley.query.http.ResponseBudget;
import dev.parley.query.read.Cursor;
import dev.parley.query.read.InvalidCursorException;
import dev.parley.query.read.PositionNotVisibleException;
import dev.parley.query.read.Views;
import dev.parley.query.read.ViewsUnavailableException;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/**
 * Answers requests for views, of callers by way of {@link Routing}, and of peers from local views. Thread-safe once all
 * routes are added.
 */
final class ViewApi {

    private final Routing routing;
    private final RequestExecutor executor;
    private final Map<String, ViewRoute> routes = new HashMap<>();

    ViewApi(Routing routing, RequestExecutor executor) {
        this.routing = routing;
        this.executor = executor;
    }

    /** Makes an operation known to peers. */
    ViewRoute add(ViewRoute route) {
        if (routes.putIfAbsent(route.operation(), route) != null) {
            throw new IllegalStateException("there are two operations " + route.operation());
        }
        return route;
    }

    /**
     * Answers a caller. Between two attempts it holds no thread.
     *
     * @return completes when the response is ready; fails as a {@link ProblemException},
     *     {@link ViewsUnavailableException} or {@link PositionNotVisibleException}
     */
    CompletableFuture<?> answer(Context context, ViewRoute route) {
        ReadConsistency consistency = Parameters.consistency(context);
        ViewQuery query = query(route, ViewRequest.of(context, route));
        Exchange exchange = context.attribute(Exchange.attribute());
        return executor.retry(
                        () -> routing.asksPeers(query.scope(), consistency) ? Pool.REMOTE : Pool.LOCAL,
                        routing.attempts(query, consistency),
                        routing.backoff(),
                        () -> exchange == null || exchange.isOpen())
                .thenAccept(response -> write(context, response));
    }

    /**
     * Reads something for a request that does something else with it. Blocks while it retries; for operators alone.
     *
     * @return the content
     * @throws ProblemException if the request cannot be answered
     */
    byte[] read(Context context, ViewRoute route) {
        ViewResponse response = routing.await(query(route, ViewRequest.of(context, route)));
        if (response.answer() instanceof Content content) {
            return content.body();
        }
        throw problem(response);
    }

    /** The query for a request of a peer; empty if the operation is unknown. */
    Optional<ViewQuery> query(PeerRequest request, Caller caller, ResponseBudget budget) {
        return Optional.ofNullable(routes.get(request.operation()))
                .map(route -> query(route, new ViewRequest(request, caller, budget)));
    }

    private static ViewQuery query(ViewRoute route, ViewRequest request) {
        return new RouteQuery(route, request, route.scope().apply(request));
    }

    private static void write(Context context, ViewResponse response) {
        ViewAnswer answer = response.answer();
        byte[] body;
        if (answer instanceof Content content) {
            body = content.body();
        } else if (answer instanceof Page page) {
            body = json(page, response.lags());
        } else {
            throw problem(response);
        }
        Staleness.header(response.lags()).forEach(context::header);
        context.contentType("application/json").result(body);
    }

    private static byte[] json(Page page, SortedMap<Integer, Long> lags) {
        ObjectNode body = Json.object();
        ArrayNode items = body.putArray("items");
        page.items()
                .forEach(item -> items.addRawValue(new RawValue(new String(item.payload(), StandardCharsets.UTF_8))));
        body.put("next", page.end().map(Cursor::of).orElse(null));
        Staleness.put(body, lags);
        return Json.bytes(body);
    }

    /** The problem that a response is. It may come from a peer, which has the same codes. */
    private static ProblemException problem(ViewResponse response) {
        ProblemException problem;
        if (response.answer() instanceof Absent absent) {
            problem = ProblemException.named(absent.code(), absent.detail());
        } else if (response.answer() instanceof Refusal refusal) {
            problem = ProblemException.named(refusal.code(), refusal.detail());
        } else {
            throw new IllegalStateException("an answer that is no problem");
        }
        return problem.with(Staleness.header(response.lags()));
    }

    /** A query of a route. */
    private record RouteQuery(ViewRoute route, ViewRequest arguments, RoutingScope scope) implements ViewQuery {

        @Override
        public PeerRequest request() {
            return arguments.request();
        }

        @Override
        public Caller caller() {
            return arguments.caller();
        }

        @Override
        public void begin() {
            arguments.budget().restart();
        }

        @Override
        public ViewAnswer read(Views views, SortedMap<Integer, Long> lags) {
            try {
                return route.reader().read(arguments, views, lags);
            } catch (ProblemException problem) {
                String code = problem.code().name();
                return scope instanceof AnyPartition && problem.code().status() == 404
                        ? new Absent(code, problem.getMessage())
                        : new Refusal(code, problem.getMessage());
            } catch (InvalidCursorException e) {
                ProblemException problem = ProblemException.of(e);
                return new Refusal(problem.code().name(), problem.getMessage());
            }
        }

        @Override
        public void reserve(long bytes) {
            arguments.budget().reserve(bytes);
        }

        @Override
        public long pageBytes() {
            return arguments.budget().items();
        }
    }
}
