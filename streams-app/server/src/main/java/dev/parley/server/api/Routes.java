package dev.parley.server.api;

import dev.parley.json.model.Blame;
import dev.parley.json.model.CheckpointDetail;
import dev.parley.json.model.CheckpointTree;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.DiffResult;
import dev.parley.json.model.History;
import dev.parley.json.model.Index;
import dev.parley.json.model.InputRecord;
import dev.parley.json.model.Knowledge;
import dev.parley.json.model.MessageDetail;
import dev.parley.json.model.MessagePage;
import dev.parley.json.model.OpenItem;
import dev.parley.json.model.SearchLine;
import dev.parley.json.model.StateResult;
import dev.parley.json.model.Statistics;
import dev.parley.json.model.Status;
import dev.parley.protocol.Glosses;
import dev.parley.server.access.MaskingPolicy;
import dev.parley.server.access.Role;
import dev.parley.server.cluster.Routing;
import dev.parley.server.cluster.RoutingScope;
import dev.parley.server.http.Json;
import dev.parley.server.http.Route;
import dev.parley.server.http.SecurityFilter;
import dev.parley.stage.StageSettings;
import dev.parley.topology.views.read.LocalViews;
import dev.parley.topology.views.read.Views;
import dev.parley.topology.views.store.Statistic;
import dev.parley.topology.views.store.ViewStores;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * All routes of the HTTP API. A request passes {@link SecurityFilter#filter} and then reaches the handler of its route.
 * A route that reads views registers a {@link ViewRoute} with {@link ViewApi}. There the request becomes a
 * {@link ViewRequest}, which {@link Routing} sends to the instances that own its partitions. Each of them answers it by
 * the {@link ViewRoute.Reader} of the route from its local {@link Views}.
 */
final class Routes {

    private static final String CONVERSATION = "/v1/conversations/{namespace}/{protocol}/{conversation}";
    private static final String MESSAGE = "/messages/{sequence}";

    private final List<Route> routes = new ArrayList<>();
    private final MaskingPolicy masking;
    private final Glosses glosses;
    private final StageSettings settings;

    private Routes(MaskingPolicy masking, Glosses glosses, StageSettings settings) {
        this.masking = masking;
        this.glosses = glosses;
        this.settings = settings;
    }

    /**
     * Returns the routes of an instance.
     *
     * @param api answers requests for views; without it, there are no routes that read views
     * @param tokens whether requests need a token
     */
    static List<Route> of(QueryServer.Components components, Optional<ViewApi> api, boolean tokens) {
        Routes routes = new Routes(components.masking(), components.glosses(), components.settings());
        api.ifPresent(views -> routes.addViews(components, views, tokens));
        HealthHandler health = new HealthHandler(components.readiness(), components.metrics());
        routes.add(Route.open(Route.LIVE, json(health::live)));
        routes.add(Route.get(Route.READY, json(health::ready)));
        routes.add(Route.get("/metrics", health::metrics));
        routes.add(Route.get("/openapi.yaml", health::openApi));
        routes.add(Route.get("/", json(routes::index)));
        return List.copyOf(routes.routes);
    }

    private void add(Route route) {
        routes.add(route);
    }

    private void addViews(QueryServer.Components components, ViewApi api, boolean tokens) {
        LocalViews local = components.views().orElseThrow().local();
        addView(
                api,
                "/v1/conversations",
                ViewRoute.list(
                        "conversations",
                        Conversation.class,
                        ViewStores.AUDIT,
                        (r, v) -> conversations(r, v).list(r)));
        addConversation(
                api, "", Conversation.class, (r, v) -> conversations(r, v).one(r));
        addConversation(
                api,
                "/messages",
                MessagePage.class,
                (r, v) -> conversations(r, v).messages(r));
        addConversation(
                api, MESSAGE, MessageDetail.class, (r, v) -> conversations(r, v).message(r));
        addConversation(api, "/state", StateResult.class, (r, v) -> states(r, v).state(r));
        addConversation(api, "/blame", Blame.class, (r, v) -> states(r, v).blame(r));
        addConversation(api, "/diff", DiffResult.class, (r, v) -> states(r, v).diff(r));
        addConversation(api, "/history", History.class, (r, v) -> states(r, v).history(r));
        addConversation(
                api,
                "/checkpoints",
                CheckpointTree.class,
                (r, v) -> states(r, v).checkpoints(r));
        addConversation(
                api,
                "/checkpoints/{id}",
                CheckpointDetail.class,
                (r, v) -> states(r, v).checkpoint(r));
        addView(
                api,
                "/v1/agents/{namespace}/{agent}/state",
                ViewRoute.list(
                        "agent/state",
                        Knowledge.class,
                        ViewStores.AUDIT,
                        (r, v) -> new KnowledgeHandler(v, masking(r), settings).list(r)));
        ViewRoute<DeadLetter> deadLetters = ViewRoute.list(
                "dead-letters",
                DeadLetter.class,
                ViewStores.DEAD_LETTERS,
                (r, v) -> new DeadLetterHandler(v, masking(r), glosses).list(r));
        addView(api, "/v1/dead-letters", deadLetters);
        addView(
                api,
                "/v1/dead-letters/counts",
                ViewRoute.list(
                        "dead-letters/counts",
                        DeadLetter.Count.class,
                        ViewStores.DEAD_LETTERS,
                        (r, v) -> new DeadLetterHandler(v, masking(r), glosses).counts(r)));
        ViewRoute<InputRecord> position = ViewRoute.of(
                "position",
                InputRecord.class,
                r -> new RoutingScope.AnyPartition(),
                (r, v) -> new InputPositionHandler(v, masking(r), glosses).one(r));
        addView(api, "/v1/positions/{topic}/{partition}/{offset}", position);
        add(Route.local("/v1/codes", json(new CodesHandler()::codes)));
        if (components.search()) {
            addSearch(api);
        }
        for (Statistic statistic : Statistic.values()) {
            addStatistic(api, statistic);
        }
        addView(
                api,
                "/v1/open-items",
                ViewRoute.list("open-items", OpenItem.class, ViewStores.STATISTICS, OpenItemHandler::list));
        ViewRoute<Status.Head> heads =
                api.add(ViewRoute.list("heads", Status.Head.class, ViewStores.AUDIT, StatusHandler::heads));
        CallerHandler caller =
                new CallerHandler(routes, tokens, components.accessLog().isPresent());
        add(new Route(HandlerType.GET, "/v1/whoami", Role.NONE, (context, executor) -> {
            json(caller::whoami).handle(context);
            return CompletableFuture.completedFuture(null);
        }));
        // Not routed: the accounting is a global store, which every instance has.
        add(Route.local(
                "/v1/accounting",
                json(r -> new AccountingHandler(
                                local.active(), components.readiness().progress())
                        .accounting(r))));
        add(Route.views(
                "/v1/status",
                (context, executor) -> new StatusHandler(local, components.readiness(), api, heads).status(context)));
        FeatureContext context =
                new FeatureContext(api, local, deadLetters, position, masking, glosses, components.metrics());
        components.features().forEach(feature -> feature.routes(context).forEach(this::add));
    }

    private void addSearch(ViewApi api) {
        ViewRoute<SearchLine.Hit> route = api.add(ViewRoute.list(
                "search",
                SearchLine.Hit.class,
                ViewStores.AUDIT,
                (r, v) -> new SearchHandler(v, masking(r)).search(r)));
        add(Route.views(
                "/v1/search",
                (context, executor) ->
                        api.answer(context, route, Parameters.values(context), SearchHandler.Lines::of)));
    }

    private void addStatistic(ViewApi api, Statistic statistic) {
        StatisticHandler handler = new StatisticHandler(statistic);
        ViewRoute<Statistics.Row> route = api.add(
                ViewRoute.list("stats/" + statistic.text(), Statistics.Row.class, ViewStores.STATISTICS, handler::rows)
                        .combining(handler::combine));
        add(Route.views("/v1/stats/" + statistic.text(), (context, executor) -> {
            Map<String, String> parameters = handler.resolve(Parameters.values(context), Instant.now());
            return api.answer(context, route, parameters, rows -> StatisticHandler.statistics(parameters, rows));
        }));
    }

    private <R> void addConversation(
            ViewApi api, String path, Class<R> result, BiFunction<ViewRequest, Views, R> handler) {
        addView(
                api,
                CONVERSATION + path,
                ViewRoute.of("conversation" + path, result, ViewRoute::conversation, handler));
    }

    private void addView(ViewApi api, String path, ViewRoute<?> route) {
        api.add(route);
        add(Route.views(path, (context, executor) -> api.answer(context, route)));
    }

    private ConversationHandler conversations(ViewRequest request, Views views) {
        return new ConversationHandler(views, masking(request), glosses, settings);
    }

    private StateHandler states(ViewRequest request, Views views) {
        return new StateHandler(views, masking(request), glosses, settings);
    }

    private MaskingPolicy masking(ViewRequest request) {
        return masking.forRole(request.caller().role());
    }

    private Index index(Context request) {
        Parameters.of(request);
        return new Index("Parley", routes.stream().map(Route::path).toList());
    }

    private static Handler json(Function<Context, ?> handler) {
        return request -> {
            Object result = handler.apply(request);
            request.contentType("application/json").result(Json.bytes(result));
        };
    }
}
