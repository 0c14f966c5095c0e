package dev.parley.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.parley.audit.InputPosition;
import dev.parley.server.access.Caller;
import dev.parley.server.access.Role;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.ReadConsistency;
import dev.parley.server.cluster.RetryBackoff;
import dev.parley.server.cluster.Routing;
import dev.parley.server.cluster.RoutingScope;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.cluster.ViewAnswer.Absent;
import dev.parley.server.cluster.ViewAnswer.Content;
import dev.parley.server.cluster.ViewAnswer.Page;
import dev.parley.server.cluster.ViewAnswer.Refusal;
import dev.parley.server.cluster.ViewQuery;
import dev.parley.server.cluster.ViewResponse;
import dev.parley.server.http.Exchange;
import dev.parley.server.http.Json;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.http.ResponseBudget;
import dev.parley.server.http.SecurityFilter;
import dev.parley.topology.views.read.Cursor;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ViewsUnavailableException;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.apache.kafka.common.utils.Bytes;

/**
 * Answers requests for views: those of callers by {@link Routing}, those of peers from local views. Thread-safe after
 * all routes have been added.
 */
public final class ViewApi {

    private final Routing routing;
    private final RequestExecutor executor;
    private final Map<String, ViewRoute> routes = new HashMap<>();

    ViewApi(Routing routing, RequestExecutor executor) {
        this.routing = routing;
        this.executor = executor;
    }

    /** Registers an operation for peers. */
    public ViewRoute add(ViewRoute route) {
        if (routes.putIfAbsent(route.operation(), route) != null) {
            throw new IllegalStateException("duplicate operation " + route.operation());
        }
        return route;
    }

    /**
     * Answers a caller.
     *
     * @return completes when the response is set; fails as {@link #query} does
     */
    CompletableFuture<?> answer(Context context, ViewRoute route) {
        ViewRequest request = ViewRequest.of(context, route);
        return query(context, request, Parameters.consistency(context)).thenAccept(response -> {
            write(context, response);
            if (request.scope() instanceof RoutingScope.AnyPartition && response.answer() instanceof Content content) {
                // Only the entry names its conversation.
                Json.read(content.body())
                        .ifPresent(entry ->
                                Exchange.of(context).reads(entry.path("chain").asText()));
            }
        });
    }

    /**
     * Answers a caller with a page of a list in a form of its own.
     *
     * @param parameters query parameters
     * @param contentType type of the form
     * @param form writes the page
     */
    CompletableFuture<?> answer(
            Context context,
            ViewRoute route,
            Map<String, String> parameters,
            String contentType,
            BiFunction<Page, SortedMap<Integer, Long>, byte[]> form) {
        return query(context, ViewRequest.of(context, route, parameters), Parameters.consistency(context))
                .thenAccept(response -> {
                    if (!(response.answer() instanceof Page page)) {
                        throw problem(response);
                    }
                    Staleness.header(response.lags()).forEach(context::header);
                    context.contentType(contentType).result(form.apply(page, response.lags()));
                });
    }

    /** Reads the content of an operation from its owner, for a request that is not a query itself. */
    public CompletableFuture<byte[]> read(Context context, ViewRoute route) {
        return query(context, route, ReadConsistency.OWNER).thenApply(response -> {
            if (response.answer() instanceof Content content) {
                return content.body();
            }
            throw problem(response);
        });
    }

    /** Reads the first items of a list from all instances, at most a page, for a request that is not that list. */
    CompletableFuture<List<JsonNode>> items(Context context, ViewRoute route) {
        ViewQuery query = new ViewRequest(
                route,
                PeerRequest.list(route.operation(), Map.of(), Map.of(), Optional.empty(), PeerRequest.MAX_LIMIT),
                SecurityFilter.caller(context),
                ResponseBudget.current(context));
        return query(context, query, ReadConsistency.OWNER).thenApply(response -> {
            if (response.answer() instanceof Page page) {
                return page.items().stream()
                        .map(item -> Json.read(item.payload()).orElseThrow())
                        .toList();
            }
            throw problem(response);
        });
    }

    /** Reads the content of an operation with these arguments from its owner. */
    public CompletableFuture<byte[]> read(Context context, ViewRoute route, Map<String, String> subject) {
        return query(
                        context,
                        request(context, route, PeerRequest.of(route.operation(), subject, Map.of())),
                        ReadConsistency.OWNER)
                .thenApply(response -> {
                    if (response.answer() instanceof Content content) {
                        return content.body();
                    }
                    throw problem(response);
                });
    }

    /**
     * Reads what the views say about an input position.
     *
     * @param route operation on a position
     * @return empty without a position, and for one that is not visible
     */
    public CompletableFuture<Optional<JsonNode>> recorded(
            Context context, ViewRoute route, Optional<InputPosition> position) {
        if (position.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return query(context, request(context, route, subject(route, position.get())), ReadConsistency.OWNER)
                .thenApply(response -> {
                    if (response.answer() instanceof Content content) {
                        return Json.read(content.body());
                    }
                    if (response.answer() instanceof Absent) {
                        return Optional.empty();
                    }
                    throw problem(response);
                });
    }

    private static PeerRequest subject(ViewRoute route, InputPosition position) {
        return PeerRequest.of(
                route.operation(),
                Map.of(
                        "topic", position.topic(),
                        "partition", Integer.toString(position.partition()),
                        "offset", Long.toString(position.offset())),
                Map.of());
    }

    /** Reads a page of a list, for a request that is not that list. */
    public CompletableFuture<Page> page(
            Context context, ViewRoute route, Map<String, String> parameters, Optional<Bytes> after, int limit) {
        return query(
                        context,
                        request(
                                context,
                                route,
                                PeerRequest.list(route.operation(), Map.of(), parameters, after, limit)),
                        ReadConsistency.OWNER)
                .thenApply(response -> {
                    if (response.answer() instanceof Page page) {
                        return page;
                    }
                    throw problem(response);
                });
    }

    private static ViewRequest request(Context context, ViewRoute route, PeerRequest request) {
        return new ViewRequest(route, request, SecurityFilter.caller(context), ResponseBudget.current(context));
    }

    /**
     * Waits for the verdicts on input positions, one after another, at most as long as a query waits altogether.
     *
     * @return the answers of an operation on a position, without those that are not visible in time
     */
    public CompletableFuture<Map<InputPosition, byte[]>> verdicts(
            Context context, ViewRoute route, List<InputPosition> positions) {
        Map<InputPosition, byte[]> found = new HashMap<>();
        long end = System.nanoTime() + routing.retryTimeout().toNanos();
        CompletableFuture<?> all = CompletableFuture.completedFuture(null);
        for (InputPosition position : positions) {
            all = all.thenCompose(previous -> verdict(context, route, position, end))
                    .handle((answer, failure) -> {
                        if (answer != null && answer.answer() instanceof Content content) {
                            found.put(position, content.body());
                        }
                        return null;
                    });
        }
        return all.thenApply(done -> found);
    }

    private CompletableFuture<ViewResponse> verdict(
            Context context, ViewRoute route, InputPosition position, long end) {
        Caller caller = SecurityFilter.caller(context);
        ReadConsistency consistency = new ReadConsistency(false, Set.of(position));
        ViewQuery query = new ViewRequest(
                route,
                subject(route, position),
                // A producer sees the verdict on its message as a reader would: private content is masked.
                caller.role() == Role.PRODUCER ? new Caller(caller.name(), Role.READER) : caller,
                ResponseBudget.current(context));
        Exchange exchange = Exchange.of(context);
        return executor.retry(
                () -> routing.needsPeers(query.scope(), consistency) ? Pool.REMOTE : Pool.LOCAL,
                routing.attempts(query, consistency),
                new RetryBackoff(Duration.ofNanos(Math.max(0, end - System.nanoTime()))),
                () -> exchange == null || exchange.isOpen());
    }

    /**
     * Runs a query. It holds no thread while it waits for a retry.
     *
     * @return fails with a {@link ProblemException}, {@link ViewsUnavailableException} or
     *     {@link PositionNotVisibleException}
     */
    private CompletableFuture<ViewResponse> query(Context context, ViewRoute route, ReadConsistency consistency) {
        return query(context, ViewRequest.of(context, route), consistency);
    }

    private CompletableFuture<ViewResponse> query(Context context, ViewQuery query, ReadConsistency consistency) {
        Exchange exchange = Exchange.of(context);
        if (exchange != null && query.scope() instanceof RoutingScope.SinglePartition owner) {
            exchange.reads(owner.chain());
        }
        return executor.retry(
                () -> routing.needsPeers(query.scope(), consistency) ? Pool.REMOTE : Pool.LOCAL,
                routing.attempts(query, consistency),
                routing.backoff(),
                () -> exchange == null || exchange.isOpen());
    }

    /** The query of a peer's request; empty if the operation is unknown. */
    Optional<ViewQuery> query(PeerRequest request, Caller caller, ResponseBudget budget) {
        return Optional.ofNullable(routes.get(request.operation()))
                .map(route -> new ViewRequest(route, request, caller, budget));
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
        return json(Json.object(), "items", page, lags);
    }

    /** Completes the JSON of a list. */
    static byte[] json(ObjectNode body, String name, Page page, SortedMap<Integer, Long> lags) {
        ArrayNode items = body.putArray(name);
        page.items()
                .forEach(item -> items.addRawValue(new RawValue(new String(item.payload(), StandardCharsets.UTF_8))));
        body.put("next", page.end().map(Cursor::of).orElse(null));
        Staleness.put(body, lags);
        return Json.bytes(body);
    }

    /** The problem in a response, which may come from a peer. */
    private static ProblemException problem(ViewResponse response) {
        ProblemException problem;
        if (response.answer() instanceof Absent absent) {
            problem = ProblemException.named(absent.code(), absent.detail());
        } else if (response.answer() instanceof Refusal refusal) {
            problem = ProblemException.named(refusal.code(), refusal.detail());
        } else {
            throw new IllegalStateException("the answer is not a problem");
        }
        return problem.with(Staleness.header(response.lags()));
    }
}
