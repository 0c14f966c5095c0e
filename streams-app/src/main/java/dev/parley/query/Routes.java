package dev.parley.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.access.Role;
import dev.parley.topology.ChainPartitions;
import dev.parley.topology.ViewStores;
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
            addViews(routes, views, parts.redaction());
            // Every instance has all of it.
            LocalViews local = parts.views().orElseThrow().local();
            routes.add(Route.local(
                    "/v1/accounting",
                    json(r -> new Balance(local.fresh(), parts.readiness().progress()).accounting(r))));
            ViewRoute redactable = views.add(RedactionRequests.OPERATION);
            parts.redactor()
                    .ifPresent(redactor -> routes.add(Route.post(
                            CONVERSATION + MESSAGE + RedactionRequests.VERB,
                            Role.OPERATOR,
                            json(
                                    new RedactionRequests(
                                                    context -> views.read(context, redactable),
                                                    redactor,
                                                    Clock.systemUTC())::redact))));
        });
        parts.redrive()
                .ifPresent(redrive -> routes.add(Route.post(
                        "/v1/dead-letters/{topic}/{partition}/{offset}/redrive",
                        Role.OPERATOR,
                        json(new Redrives(redrive)::redrive))));
        Operations operations = new Operations(parts.readiness(), parts.metrics());
        routes.add(Route.open(Route.LIVE, json(operations::live)));
        routes.add(Route.get(Route.READY, json(operations::ready)));
        routes.add(Route.get("/metrics", operations::metrics));
        routes.add(Route.get("/openapi.yaml", operations::openApi));
        routes.add(Route.get("/", json(request -> index(request, routes))));
        return List.copyOf(routes);
    }

    /** Each has an operation, which peers name, and a {@link RoutingScope}. */
    private static void addViews(List<Route> routes, ViewApi api, Redaction redaction) {
        Map<String, ViewHandler> ofConversations = new LinkedHashMap<>();
        ofConversations.put("", (r, v) -> new Conversations(v, redaction).one(r));
        ofConversations.put("/messages", (r, v) -> new Conversations(v, redaction).messages(r));
        ofConversations.put(MESSAGE, (r, v) -> new Conversations(v, redaction).message(r));
        ofConversations.put("/state", (r, v) -> new StateHandler(v, redaction).state(r));
        ofConversations.put("/blame", (r, v) -> new StateHandler(v, redaction).blame(r));
        ofConversations.put("/diff", (r, v) -> new StateHandler(v, redaction).diff(r));
        ofConversations.put("/history", (r, v) -> new StateHandler(v, redaction).history(r));
        ofConversations.put("/checkpoints", (r, v) -> new StateHandler(v, redaction).checkpoints(r));
        ofConversations.put("/checkpoints/{id}", (r, v) -> new StateHandler(v, redaction).checkpoint(r));

        Table table = (path, route) -> {
            ViewRoute added = api.add(route);
            routes.add(Route.views(path, (request, executor) -> api.answer(request, added)));
        };
        table.add(
                "/v1/conversations",
                ViewRoute.list("conversations", ViewStores.AUDIT, (r, v) -> new Conversations(v, redaction).list(r)));
        ofConversations.forEach((what, handler) ->
                table.add(CONVERSATION + what, ViewRoute.json("conversation" + what, Routes::conversation, handler)));
        table.add(
                "/v1/dead-letters",
                ViewRoute.list(
                        "dead-letters", ViewStores.DEAD_LETTERS, (r, v) -> new DeadLetters(v, redaction).list(r)));
        table.add(
                "/v1/positions/{topic}/{partition}/{offset}",
                ViewRoute.json("position", r -> new RoutingScope.AnyPartition(), (r, v) -> new Positions(v).one(r)));
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
