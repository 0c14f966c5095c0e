package dev.parley.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.access.Role;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The table of all that the API does. */
final class Routes {

    /** What answers without a token: whether the process should be started again must not depend on somebody's secret. */
    static final String LIVE = "/health/live";

    private Routes() {}

    /** The routes of a process; without views, those that do not need them. */
    static List<Route> of(QueryServer.Parts parts) {
        List<Route> routes = new ArrayList<>();
        parts.views().ifPresent(views -> addViews(routes, views, parts));
        parts.redrive()
                .ifPresent(redrive -> routes.add(Route.post(
                        "/v1/dead-letters/{topic}/{partition}/{offset}/redrive",
                        Role.OPERATOR,
                        json(new Redrives(redrive)::redrive))));
        Operations operations = new Operations(parts.readiness(), parts.metrics());
        routes.add(Route.open(LIVE, json(operations::live)));
        routes.add(Route.get("/health/ready", json(operations::ready)));
        routes.add(Route.get("/metrics", operations::metrics));
        routes.add(Route.get("/openapi.yaml", operations::openApi));
        routes.add(Route.get("/", json(request -> index(request, routes))));
        return List.copyOf(routes);
    }

    private static void addViews(List<Route> routes, Views views, QueryServer.Parts parts) {
        Conversations conversations = new Conversations(views, parts.redaction());
        StateRoutes states = new StateRoutes(views, parts.redaction());
        Contexts contexts = new Contexts(views);
        DeadLetters deadLetters = new DeadLetters(views, parts.redaction());
        Balance balance = new Balance(views);
        String conversation = "/v1/conversations/{namespace}/{protocol}/{conversation}";
        String context = "/v1/contexts/{namespace}/{context}";
        routes.add(Route.get("/v1/conversations", json(conversations::list)));
        routes.add(Route.get(conversation, json(conversations::one)));
        routes.add(Route.get(conversation + "/messages", json(conversations::messages)));
        routes.add(Route.get(conversation + "/state", json(states::state)));
        routes.add(Route.get(conversation + "/blame", json(states::blame)));
        routes.add(Route.get(conversation + "/diff", json(states::diff)));
        routes.add(Route.get(conversation + "/history", json(states::history)));
        routes.add(Route.get(context + "/checkpoints", json(contexts::checkpoints)));
        routes.add(Route.get(context + "/checkpoints/{id}", json(contexts::checkpoint)));
        routes.add(Route.get(context + "/checkpoints/{id}/state", json(contexts::state)));
        routes.add(Route.get(context + "/state", json(contexts::stateAt)));
        routes.add(Route.get(context + "/diff", json(contexts::diff)));
        routes.add(Route.get("/v1/dead-letters", json(deadLetters::list)));
        routes.add(Route.get("/v1/accounting", json(balance::accounting)));
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
