package dev.parley.query.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.access.Role;
import dev.parley.protocol.Glosses;
import dev.parley.query.cluster.Routing;
import dev.parley.query.cluster.RoutingScope;
import dev.parley.query.http.Json;
import dev.parley.query.http.Route;
import dev.parley.query.read.LocalViews;
import dev.parley.query.read.MaskingPolicy;
import dev.parley.topology.setup.ChainPartitions;
import dev.parley.topology.views.ViewStores;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The table of all that the API does. */
final class Routes {

    private static final String CONVERSATION = "/v1/conversations/{namespace}/{protocol}/{conversation}";
    private static final String MESSAGE = "/messages/{sequence}";

    private Routes() {}

    /** The routes of an instance; without views, those that do not need them. */
    static List<Route> of(QueryServer.Parts parts, Optional<ViewApi> api) {
        List<Route> routes = new ArrayList<>();
        api.ifPresent(views -> {
            addViews(routes, views, parts.redaction(), parts.glosses());
            // Every instance has all of it.
            LocalViews local = parts.views().orElseThrow().local();
            routes.add(Route.local(
                    "/v1/accounting",
                    json(r -> new AccountingHandler(
                                    local.active(), parts.readiness().progress())
                            .accounting(r))));
            ViewRoute redactable = views.add(RedactionHandler.OPERATION);
            parts.redactor()
                    .ifPresent(redactor -> routes.add(Route.post(
                            CONVERSATION + MESSAGE + RedactionHandler.VERB,
                            Role.OPERATOR,
                            json(
                                    new RedactionHandler(
                                                    context -> views.read(context, redactable),
                                                    redactor,
                                                    Clock.systemUTC())::redact))));
        });
        parts.redrive()
                .ifPresent(redriver -> routes.add(Route.post(
                        "/v1/dead-letters/{topic}/{partition}/{offset}/redrive",
                        Role.OPERATOR,
                        json(new RedriveHandler(redriver)::redrive))));
        HealthHandler healthHandler = new HealthHandler(parts.readiness(), parts.metrics());
        routes.add(Route.open(Route.LIVE, json(healthHandler::live)));
        routes.add(Route.get(Route.READY, json(healthHandler::ready)));
        routes.add(Route.get("/metrics", healthHandler::metrics));
        routes.add(Route.get("/openapi.yaml", healthHandler::openApi));
        routes.add(Route.get("/", json(request -> index(request, routes))));
        return List.copyOf(routes);
    }

    /** Each has an operation, which peers name, and a {@link RoutingScope}. */
    private static void addViews(List<Route> routes, ViewApi api, MaskingPolicy maskingPolicy, Glosses glosses) {
        Map<String, ViewHandler> ofConversations = new LinkedHashMap<>();
        ofConversations.put("", (r, v) -> new ConversationHandler(v, maskingPolicy, glosses).one(r));
        ofConversations.put("/messages", (r, v) -> new ConversationHandler(v, maskingPolicy, glosses).messages(r));
        ofConversations.put(MESSAGE, (r, v) -> new ConversationHandler(v, maskingPolicy, glosses).message(r));
        ofConversations.put("/state", (r, v) -> new StateHandler(v, maskingPolicy, glosses).state(r));
        ofConversations.put("/blame", (r, v) -> new StateHandler(v, maskingPolicy, glosses).blame(r));
        ofConversations.put("/diff", (r, v) -> new StateHandler(v, maskingPolicy, glosses).diff(r));
        ofConversations.put("/history", (r, v) -> new StateHandler(v, maskingPolicy, glosses).history(r));
        ofConversations.put("/checkpoints", (r, v) -> new StateHandler(v, maskingPolicy, glosses).checkpoints(r));
        ofConversations.put("/checkpoints/{id}", (r, v) -> new StateHandler(v, maskingPolicy, glosses).checkpoint(r));

        Table table = (path, route) -> {
            ViewRoute added = api.add(route);
            routes.add(Route.views(path, (request, executor) -> api.answer(request, added)));
        };
        table.add(
                "/v1/conversations",
                ViewRoute.list(
                        "conversations",
                        ViewStores.AUDIT,
                        (r, v) -> new ConversationHandler(v, maskingPolicy, glosses).list(r)));
        ofConversations.forEach((what, handler) ->
                table.add(CONVERSATION + what, ViewRoute.json("conversation" + what, Routes::conversation, handler)));
        table.add(
                "/v1/dead-letters",
                ViewRoute.list(
                        "dead-letters",
                        ViewStores.DEAD_LETTERS,
                        (r, v) -> new DeadLetterHandler(v, maskingPolicy, glosses).list(r)));
        table.add(
                "/v1/positions/{topic}/{partition}/{offset}",
                ViewRoute.json(
                        "position",
                        r -> new RoutingScope.AnyPartition(),
                        (r, v) -> new InputPositionHandler(v, maskingPolicy, glosses).one(r)));
    }

    /** The routes that read views by way of {@link Routing}. */
    private interface Table {
        void add(String path, ViewRoute route);
    }

    /** The scope of a request that names a conversation. */
    static RoutingScope conversation(ViewRequest request) {
        return new RoutingScope.SinglePartition(ChainPartitions.chainOf(
                request.pathParam("namespace"), Parameters.protocol(request), request.pathParam("conversation")));
    }

    private static ObjectNode index(Context request, List<Route> routes) {
        Parameters.of(request);
        ObjectNode answer = Json.object().put("name", "Parley");
        ArrayNode links = answer.putArray("links");
        routes.forEach(route -> links.add(route.path()));
        return answer;
    }

    private static Handler json(Function<Context, ObjectNode> answer) {
        return request -> {
            ObjectNode node = answer.apply(request);
            request.contentType("application/json").result(Json.bytes(node));
        };
    }
}
