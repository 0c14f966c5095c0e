package dev.parley.server.api.view;

import dev.parley.audit.InputPosition;
import dev.parley.json.model.ItemPage;
import dev.parley.protocol.TopicNames;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.server.auth.Role;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.ReadConsistency;
import dev.parley.server.cluster.RetryBackoff;
import dev.parley.server.cluster.Routing;
import dev.parley.server.cluster.RoutingScope;
import dev.parley.server.cluster.ViewAnswer.Absent;
import dev.parley.server.cluster.ViewAnswer.Content;
import dev.parley.server.cluster.ViewAnswer.Page;
import dev.parley.server.cluster.ViewAnswer.Refusal;
import dev.parley.server.cluster.ViewQuery;
import dev.parley.server.cluster.ViewResponse;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.Exchange;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.ResponseBudget;
import dev.parley.server.http.SecurityFilter;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.read.Cursor;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;

/**
 * Answers requests for views: those of callers by {@link Routing}, those of peers from local views. Thread-safe after
 * all routes have been added.
 */
public final class ViewApi {

    private final Routing routing;
    private final RequestExecutor executor;
    private final TopicNames topics;
    private final PublicContent readers;
    private final CursorSeal seal;
    private final Map<String, ViewRoute<?>> routes = new HashMap<>();

    /**
     * Creates an API without routes.
     *
     * @param readers the content that readers may see
     * @param seal seals the cursors of callers that are bound to namespaces: a store key may be that of other data
     */
    public ViewApi(
            Routing routing, RequestExecutor executor, TopicNames topics, PublicContent readers, CursorSeal seal) {
        this.routing = routing;
        this.executor = executor;
        this.topics = topics;
        this.readers = readers;
        this.seal = seal;
    }

    /** Registers an operation for peers. */
    public <R> ViewRoute<R> add(ViewRoute<R> route) {
        if (routes.putIfAbsent(route.operation(), route) != null) {
            throw new IllegalStateException("duplicate operation " + route.operation());
        }
        return route;
    }

    /**
     * The operation of that name, for another route that reads its result.
     *
     * @throws IllegalStateException if there is none with such a result
     */
    public <R> ViewRoute<R> route(String operation, Class<R> result) {
        ViewRoute<?> route = routes.get(operation);
        if (route == null || !route.result().equals(result)) {
            throw new IllegalStateException("no operation " + operation + " with a " + result.getSimpleName());
        }
        @SuppressWarnings("unchecked") // its result is of that class
        ViewRoute<R> found = (ViewRoute<R>) route;
        return found;
    }

    /**
     * Answers a caller.
     *
     * @return completes when the response is set; fails as {@link #query} does
     */
    public CompletableFuture<?> answer(ApiRequest context, ViewRoute<?> route) {
        return answer(context, route, items -> new ItemPage<>(items.results(), items.next()));
    }

    /** {@link #answer(ApiRequest, ViewRoute, Map, Function)} with the query parameters of the caller. */
    public <R> CompletableFuture<?> answer(ApiRequest context, ViewRoute<R> route, Function<Items<R>, Object> form) {
        return answer(context, route, Parameters.values(context), form);
    }

    /**
     * Answers a caller.
     *
     * @param parameters query parameters
     * @param form converts a page of a list to the object of the response
     */
    public <R> CompletableFuture<?> answer(
            ApiRequest context, ViewRoute<R> route, Map<String, String> parameters, Function<Items<R>, Object> form) {
        ReadConsistency consistency = Parameters.consistency(context, topics);
        return query(context, route.query(request(context, route, parameters)), consistency)
                .thenApply(response -> {
                    Object result = response.answer() instanceof Page page
                            ? form.apply(items(context, route, page))
                            : content(response);
                    route.chain()
                            .ifPresent(named -> Exchange.of(context)
                                    .reads(named.apply(route.result().cast(result))));
                    staleness(response).forEach(context::header);
                    return result;
                });
    }

    /** Reads a result from the owner of its partition, for a request that is not a query itself. */
    public <R> CompletableFuture<R> read(ApiRequest context, ViewRoute<R> route, Map<String, String> path) {
        return read(context, route, path, Map.of());
    }

    /** {@link #read(ApiRequest, ViewRoute, Map)} with query parameters. */
    public <R> CompletableFuture<R> read(
            ApiRequest context, ViewRoute<R> route, Map<String, String> path, Map<String, String> parameters) {
        return ask(context, route, request(context, path, parameters))
                .thenApply(response -> route.result().cast(content(response)));
    }

    /**
     * Reads what the views say about an input position.
     *
     * @param route operation on a position
     * @return empty for a position that is not visible
     */
    public <R> CompletableFuture<Optional<R>> find(ApiRequest context, ViewRoute<R> route, InputPosition position) {
        return ask(context, route, request(context, PeerRequest.subject(position), Map.of()))
                .thenApply(response -> response.answer() instanceof Absent
                        ? Optional.empty()
                        : Optional.of(route.result().cast(content(response))));
    }

    private CompletableFuture<ViewResponse> ask(ApiRequest context, ViewRoute<?> route, ViewRequest request) {
        return query(context, route.query(request), ReadConsistency.OWNER);
    }

    /**
     * The items of a page.
     *
     * @param end store key after which the list continues; empty at its end
     * @param next cursor of the next page; null if this is the last
     */
    public record Items<R>(List<R> results, Optional<Bytes> end, String next) {}

    private <R> Items<R> items(ApiRequest context, ViewRoute<R> route, Page page) {
        boolean sealed = SecurityFilter.caller(context).isBound();
        List<R> results = page.items().stream()
                .map(item -> route.result().cast(item.result()))
                .toList();
        String next =
                page.end().map(key -> sealed ? seal.close(key) : Cursor.of(key)).orElse(null);
        return new Items<>(results, page.end(), next);
    }

    /** Reads a page of a list from all instances, for a request that is not that list. */
    public <R> CompletableFuture<Items<R>> items(
            ApiRequest context, ViewRoute<R> route, Map<String, String> parameters, Optional<Bytes> after) {
        return ask(context, route, request(context, Map.of(), parameters, after, PeerRequest.MAX_LIMIT))
                .thenApply(response -> {
                    if (response.answer() instanceof Page page) {
                        return items(context, route, page);
                    }
                    throw problem(response);
                });
    }

    /** The request of a caller. {@link Parameters#consistency} is not part of it. */
    private ViewRequest request(ApiRequest context, ViewRoute<?> route, Map<String, String> values) {
        Map<String, String> parameters = new TreeMap<>(values);
        parameters.remove(Parameters.STALE);
        parameters.remove(Parameters.AT_LEAST);
        Map<String, String> path = Paths.names(context.pathParams());
        if (!route.list()) {
            return request(context, path, parameters);
        }
        Parameters page = new Parameters(parameters, Parameters::invalid);
        boolean sealed = SecurityFilter.caller(context).isBound();
        Optional<Bytes> after =
                page.text(Parameters.CURSOR).map(cursor -> sealed ? seal.open(cursor) : Cursor.key(cursor));
        int limit = page.limit();
        parameters.remove(Parameters.LIMIT);
        parameters.remove(Parameters.CURSOR);
        return request(context, path, parameters, after, limit);
    }

    private ViewRequest request(ApiRequest context, Map<String, String> path, Map<String, String> parameters) {
        return request(context, path, parameters, Optional.empty(), 0);
    }

    private ViewRequest request(
            ApiRequest context,
            Map<String, String> path,
            Map<String, String> parameters,
            Optional<Bytes> after,
            int limit) {
        Caller caller = SecurityFilter.caller(context);
        return new ViewRequest(path, parameters, after, limit, caller, masking(caller), ResponseBudget.of(context));
    }

    /** What to mask for a caller. */
    public MaskingPolicy masking(Caller caller) {
        return MaskingPolicy.of(caller.role(), readers);
    }

    /**
     * Reads what the views say about input positions, one after another, in all namespaces: the caller must leave out
     * what the client may not see.
     *
     * @param wait whether to wait until they are visible, at most as long as a query waits altogether
     * @return the results of an operation on a position, without those that are not visible in time
     */
    public <R> CompletableFuture<Map<InputPosition, R>> verdicts(
            ApiRequest context, ViewRoute<R> route, List<InputPosition> positions, boolean wait) {
        Map<InputPosition, R> found = new HashMap<>();
        long end = System.nanoTime() + (wait ? routing.retryTimeout().toNanos() : 0);
        CompletableFuture<?> all = CompletableFuture.completedFuture(null);
        for (InputPosition position : positions) {
            all = all.thenCompose(previous -> result(context, route, position, wait, end))
                    .handle((answer, failure) -> {
                        if (answer != null && answer.answer() instanceof Content content) {
                            found.put(position, route.result().cast(content.result()));
                        }
                        return null;
                    });
        }
        return all.thenApply(done -> found);
    }

    private CompletableFuture<ViewResponse> result(
            ApiRequest context, ViewRoute<?> route, InputPosition position, boolean wait, long end) {
        Caller caller = SecurityFilter.caller(context);
        ReadConsistency consistency = wait ? new ReadConsistency(false, Set.of(position)) : ReadConsistency.OWNER;
        // A producer sees the verdict on its message as a reader would: private content is masked.
        Caller reader = new Caller(caller.name(), caller.role().includes(Role.READER) ? caller.role() : Role.READER);
        ViewQuery query = route.query(new ViewRequest(
                PeerRequest.subject(position),
                Map.of(),
                Optional.empty(),
                0,
                reader,
                masking(reader),
                ResponseBudget.of(context)));
        return attempt(
                context, query, consistency, new RetryBackoff(Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
    }

    /**
     * Runs a query. It holds no thread while it waits for a retry.
     *
     * @return fails with a {@link ProblemException}, {@link ViewsUnavailableException} or
     *     {@link PositionNotVisibleException}
     */
    private CompletableFuture<ViewResponse> query(ApiRequest context, ViewQuery query, ReadConsistency consistency) {
        if (query.scope() instanceof RoutingScope.SinglePartition owner
                && owner.store().equals(ViewStores.AUDIT)) {
            Exchange.of(context).reads(owner.key());
        }
        return attempt(context, query, consistency, routing.backoff());
    }

    private CompletableFuture<ViewResponse> attempt(
            ApiRequest context, ViewQuery query, ReadConsistency consistency, RetryBackoff backoff) {
        return executor.retry(routing.attempts(query, consistency), backoff, Exchange.of(context)::isOpen);
    }

    /** The query of a peer's request; empty if the operation is unknown. */
    public Optional<ViewQuery> query(PeerRequest request, Caller caller, ResponseBudget budget) {
        return Optional.ofNullable(routes.get(request.operation()))
                .map(route -> route.query(new ViewRequest(
                        request.subject(),
                        request.parameters(),
                        request.after(),
                        request.limit(),
                        caller,
                        masking(caller),
                        budget)));
    }

    private static Object content(ViewResponse response) {
        if (response.answer() instanceof Content content) {
            return content.result();
        }
        throw problem(response);
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
        return problem.with(staleness(response));
    }

    /** The header with the total lag of the standbys that answered, in changes; none if the owners did. */
    private static Map<String, String> staleness(ViewResponse response) {
        long lag = response.lags().values().stream().mapToLong(Long::longValue).sum();
        return response.lags().isEmpty() ? Map.of() : Map.of("Parley-Staleness", Long.toString(lag));
    }
}
