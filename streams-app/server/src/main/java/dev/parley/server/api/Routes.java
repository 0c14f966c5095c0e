package dev.parley.server.api;

import dev.parley.avro.OpenItem;
import dev.parley.json.model.CallPage;
import dev.parley.json.model.Composition;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.Index;
import dev.parley.json.model.InputRecord;
import dev.parley.json.model.MessageDetail;
import dev.parley.json.model.MessagePage;
import dev.parley.json.model.ParkedItem;
import dev.parley.json.model.SearchLine;
import dev.parley.json.model.Statistics;
import dev.parley.json.model.Unapproved;
import dev.parley.protocol.Glosses;
import dev.parley.server.api.mcp.McpEndpoint;
import dev.parley.server.api.view.KeyedItems;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.api.view.ViewRoute;
import dev.parley.server.auth.Role;
import dev.parley.server.cluster.Routing;
import dev.parley.server.feature.Contributions;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.health.StatisticBounds;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.http.ResponseBudget;
import dev.parley.server.http.Route;
import dev.parley.server.http.SecurityFilter;
import dev.parley.state.CheckpointDetail;
import dev.parley.state.StateAnswer;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.store.ViewStores;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpMethod;

/**
 * All routes of the HTTP API. A request passes {@link SecurityFilter#filter} and then reaches the handler of its route.
 * A route that reads views registers a {@link ViewRoute} with {@link ViewApi}. There the request becomes a
 * {@link ViewRequest}, which {@link Routing} sends to the instances that own its partitions. Each of them answers it by
 * the {@link ViewRoute#reader()} of the route from its local {@link Views}.
 */
final class Routes {

    private static final String CONVERSATION = "/v1/conversations/{namespace}/{protocol}/{conversation}";

    private final Contributions contributions = new Contributions();
    private final ResponseLinks links;

    private Routes(ResponseLinks links) {
        this.links = links;
    }

    /**
     * Returns the routes of an instance, with the other contributions.
     *
     * @param api answers requests for views; without it, there are no routes that read views
     * @param security whether requests need a token, and the prefix of paths
     */
    static Contributions of(QueryServer.Components components, Optional<ViewApi> api, HttpSecurity security) {
        Routes routes = new Routes(new ResponseLinks(security.prefix()));
        api.ifPresent(views ->
                routes.addViews(components, views, security.authentication().isPresent()));
        HealthHandler health = new HealthHandler(components.readiness(), components.metrics(), security.prefix());
        routes.add(Route.open(Route.LIVE, health::live));
        routes.add(Route.get(Route.READY, health::ready));
        routes.add(Route.get("/metrics", health::metrics));
        routes.add(Route.get("/openapi.yaml", health::openApi).scoped());
        routes.add(Route.get("/", routes::index).scoped());
        return routes.contributions;
    }

    private void add(Route route) {
        contributions.route(route);
    }

    private void addViews(QueryServer.Components components, ViewApi api, boolean tokens) {
        Views local = components.views().orElseThrow().local();
        Glosses glosses = components.glosses();
        ConversationHandler conversations = new ConversationHandler(glosses, components.settings(), links);
        StateHandler states = new StateHandler(glosses, components.settings());
        DeadLetterHandler letters = new DeadLetterHandler(glosses);
        addList(api, "conversations", Conversation.class, ViewStores.AUDIT, conversations::list);
        ViewRoute<Conversation.Total> total = api.add(ViewRoute.list(
                        "conversations/total", Conversation.Total.class, ViewStores.AUDIT, ConversationHandler::total)
                .combining((some, others) -> new Conversation.Total(some.conversations() + others.conversations())));
        add(view(
                "/v1/conversations/total",
                request -> api.answer(request, total, all -> all.results().get(0))));
        addConversation(api, "", Conversation.class, conversations::one);
        addConversation(api, "/messages", MessagePage.class, conversations::messages);
        addConversation(api, "/messages/{sequence}", MessageDetail.class, conversations::message);
        addConversation(api, "/calls", CallPage.class, new CallHandler(components.settings())::list);
        addConversation(api, "/state", StateAnswer.StateResult.class, states::state);
        addConversation(api, "/blame", StateAnswer.Blame.class, states::blame);
        addConversation(api, "/diff", StateAnswer.DiffResult.class, states::diff);
        addConversation(api, "/history", StateAnswer.History.class, states::history);
        addConversation(api, "/checkpoints", StateAnswer.Tree.class, states::checkpoints);
        addConversation(api, "/checkpoints/{id}", CheckpointDetail.class, states::checkpoint);
        KnowledgeHandler knowledge = new KnowledgeHandler(components.settings());
        addView(
                api,
                "/v1/agents/{namespace}/{agent}/state",
                ViewRoute.list("agent/state", StateAnswer.Knowledge.class, ViewStores.AUDIT, knowledge::list));
        addList(api, "dead-letters", DeadLetter.class, ViewStores.DEAD_LETTERS, letters::list);
        addList(api, "dead-letters/counts", DeadLetter.Count.class, ViewStores.DEAD_LETTERS, DeadLetterHandler::counts);
        InputPositionHandler positions = new InputPositionHandler(glosses, links);
        ViewRoute<InputRecord> position = ViewRoute.ofPosition("position", InputRecord.class, positions::one);
        addView(api, "/v1/positions/{topic}/{partition}/{offset}", position.reading(InputRecord::chain));
        addList(api, "unapproved", Unapproved.class, ViewStores.AUDIT, new UnapprovedHandler(glosses, links)::list);
        add(Route.local("/v1/codes", request -> {
                    Parameters.of(request);
                    return Verdicts.CODES;
                })
                .scoped());
        List<Route> unrouted = new ArrayList<>();
        if (components.search()) {
            ViewRoute<SearchLine.Hit> search =
                    api.add(ViewRoute.list("search", SearchLine.Hit.class, ViewStores.AUDIT, SearchHandler::search));
            contributions.route(
                    "search",
                    view(
                            "/v1/search",
                            request -> api.answer(request, search, hits -> SearchHandler.lines(request, hits))));
            unrouted.add(view(
                    "/mcp/search", request -> api.answer(request, search, hits -> SearchHandler.page(request, hits))));
        }
        contributions.capability("stats", caller -> caller.role().includes(Role.READER));
        for (Statistic statistic : Statistic.IN_VIEWS) {
            addStatistic(api, statistic, components.statistics());
        }
        addList(api, "open-items", OpenItem.class, ViewStores.STATISTICS, OpenItemHandler::list);
        ParkedItemHandler parkedItems = new ParkedItemHandler(components.settings(), links);
        addList(api, "parked", ParkedItem.class, ViewStores.CHECKPOINTS, parkedItems::list);
        api.add(ViewRoute.ofPosition("parked/position", ParkedItem.class, parkedItems::one));
        contributions.capability("privateMessages", caller -> caller.role().seesPrivateMessages());
        FeatureContext featureContext =
                new FeatureContext(api, local, glosses, components.topics(), components.metrics());
        components.features().forEach(feature -> feature.contribute(featureContext, contributions));
        add(Route.open("/v1/whoami", new CallerHandler(contributions, tokens)::whoami));
        // Not routed: the accounting is a global store, which every instance has.
        add(Route.local("/v1/accounting", request -> {
                    Parameters.of(request);
                    return ResponseBudget.of(request)
                            .addAnswer(components
                                    .accounts()
                                    .report(components.readiness().progress()));
                })
                .unlogged());
        LogHandler log = new LogHandler(api, contributions.cosignedHeads());
        // Heads and tiles have hashes of salted records, and counts of all namespaces.
        add(view(LogHandler.LOG, log::log).unlogged());
        add(view(LogHandler.CHECKPOINT, log::checkpoint).unlogged());
        add(view(LogHandler.TILE, request -> log.tile(request)).unlogged());
        add(view(CONVERSATION + "/messages/{sequence}/proof", log::prove));
        StatusHandler status = new StatusHandler(components.accounts(), components.readiness(), log, contributions);
        contributions.route(
                "status",
                Route.views("/v1/status", (request, executor) -> status.status(request))
                        .unlogged());
        addTools(components, api, positions, unrouted);
    }

    /**
     * The endpoint of MCP.
     *
     * @param unrouted routes that only its tools call
     */
    private void addTools(
            QueryServer.Components components, ViewApi api, InputPositionHandler positions, List<Route> unrouted) {
        ViewRoute<InputRecord> explained = api.add(ViewRoute.of(
                "conversation/explained", InputRecord.class, ViewRoute::conversation, positions::recorded));
        DraftHandler drafts = new DraftHandler(components.glosses(), components.settings());
        ViewRoute<DraftHandler.Draft> judged = api.add(
                ViewRoute.of("conversation/judged", DraftHandler.Draft.class, ViewRoute::conversation, drafts::judge));
        ViewRoute<Composition> composed = api.add(
                ViewRoute.of("conversation/composed", Composition.class, ViewRoute::conversation, drafts::compose));
        add(Route.post(
                CONVERSATION + "/compose",
                Role.READER,
                (request, executor) ->
                        api.answer(request, composed, DraftHandler.parameters(request), items -> items)));
        unrouted.add(view(
                "/mcp/explain/{namespace}/{protocol}/{conversation}/{sequence}",
                request -> api.answer(request, explained)));
        unrouted.add(view("/mcp/judge/{namespace}/{protocol}/{conversation}", request -> api.answer(request, judged)));
        Route.Task decode = (request, executor) -> executor.call(Pool.LOCAL, () -> drafts.decode(request));
        unrouted.add(new Route(HttpMethod.GET, "/mcp/decode", Role.NONE, decode)
                .unlogged()
                .scoped());
        unrouted.addAll(contributions.routes());
        add(new McpEndpoint(unrouted).route());
    }

    /** A route that shows a caller only its namespaces. */
    private static Route view(String path, Function<ApiRequest, CompletableFuture<?>> handler) {
        return Route.views(path, (request, executor) -> handler.apply(request)).scoped();
    }

    private void addStatistic(ViewApi api, Statistic statistic, StatisticBounds bounds) {
        StatisticHandler handler = new StatisticHandler(statistic);
        ViewRoute<Statistics.Row> route = api.add(
                ViewRoute.list("stats/" + statistic.text(), Statistics.Row.class, ViewStores.STATISTICS, handler::rows)
                        .combining(handler::combine));
        add(view("/v1/stats/" + statistic.text(), request -> {
            Map<String, String> parameters = handler.resolve(Parameters.values(request), Instant.now());
            return api.answer(
                    request, route, parameters, rows -> StatisticHandler.statistics(parameters, bounds, rows));
        }));
    }

    private <R> ViewRoute<R> addList(
            ViewApi api, String name, Class<R> item, String store, BiFunction<ViewRequest, Views, KeyedItems> handler) {
        return addView(api, "/v1/" + name, ViewRoute.list(name, item, store, handler));
    }

    private <R> void addConversation(
            ViewApi api, String path, Class<R> result, BiFunction<ViewRequest, Views, R> handler) {
        addView(
                api,
                CONVERSATION + path,
                ViewRoute.of("conversation" + path, result, ViewRoute::conversation, handler));
    }

    private <R> ViewRoute<R> addView(ViewApi api, String path, ViewRoute<R> route) {
        add(view(path, request -> api.answer(request, route)));
        return api.add(route);
    }

    private Index index(ApiRequest request) {
        Parameters.of(request);
        return new Index(
                "Parley",
                contributions.routes().stream()
                        .map(route -> links.prefix() + route.path())
                        .toList());
    }
}
