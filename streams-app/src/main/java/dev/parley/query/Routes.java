package dev.parley.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.access.Role;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The table of all that the API does. */
final class Routes {

    /** What answers without a token: whether the process should be started again must not depend on somebody's secret. */
    static final String LIVE = "/health/live";

    static final String READY = "/health/ready";

    private static final String CONVERSATION = "/v1/conversations/{namespace}/{protocol}/{conversation}";
    private static final String MESSAGE = "/messages/{sequence}";

    private Routes() {}

    /** The routes of a process; without views, those that do not need them. */
    static List<Route> of(QueryServer.Parts parts, RequestExecutor executor) {
        List<Route> routes = new ArrayList<>();
        parts.views().ifPresent(instances -> {
            Routing routing = new Routing(instances, executor);
            addViews(routes, routing, parts.redaction(), parts.readiness());
            parts.redactor()
                    .ifPresent(redactor -> routes.add(Route.post(
                            CONVERSATION + MESSAGE + RedactionRequests.VERB,
                            Role.OPERATOR,
                            json(new RedactionRequests(routing, redactor, Clock.systemUTC())::redact))));
        });
        parts.redrive()
                .ifPresent(redrive -> routes.add(Route.post(
                        "/v1/dead-letters/{topic}/{partition}/{offset}/redrive",
                        Role.OPERATOR,
                        json(new Redrives(redrive)::redrive))));
        Operations operations = new Operations(parts.readiness(), parts.metrics());
        routes.add(Route.open(LIVE, json(operations::live)));
        routes.add(Route.get(READY, json(operations::ready)));
        routes.add(Route.get("/metrics", operations::metrics));
        routes.add(Route.get("/openapi.yaml", operations::openApi));
        routes.add(Route.get("/", json(request -> index(request, routes))));
        return List.copyOf(routes);
    }

    /** Each says what it is {@link About}, which says who of several processes answers. */
    private static void addViews(List<Route> routes, Routing routing, Redaction redaction, Readiness readiness) {
        Map<String, Answer> ofConversations = new LinkedHashMap<>();
        ofConversations.put("", (r, v) -> new Conversations(v, redaction).one(r));
        ofConversations.put("/messages", (r, v) -> new Conversations(v, redaction).messages(r));
        ofConversations.put(MESSAGE, (r, v) -> new Conversations(v, redaction).message(r));
        ofConversations.put("/state", (r, v) -> new StateHandler(v, redaction).state(r));
        ofConversations.put("/blame", (r, v) -> new StateHandler(v, redaction).blame(r));
        ofConversations.put("/diff", (r, v) -> new StateHandler(v, redaction).diff(r));
        ofConversations.put("/history", (r, v) -> new StateHandler(v, redaction).history(r));
        ofConversations.put("/checkpoints", (r, v) -> new StateHandler(v, redaction).checkpoints(r));
        ofConversations.put("/checkpoints/{id}", (r, v) -> new StateHandler(v, redaction).checkpoint(r));

        Table table = (path, about, answer) ->
                routes.add(Route.views(path, (request, executor) -> routing.answer(request, about, answer)));
        table.add("/v1/conversations", About.CONVERSATIONS, (r, v) -> new Conversations(v, redaction).list(r));
        ofConversations.forEach((what, answer) -> table.add(CONVERSATION + what, About.CONVERSATION, answer));
        table.add("/v1/dead-letters", About.DEAD_LETTERS, (r, v) -> new DeadLetters(v, redaction).list(r));
        table.add("/v1/positions/{topic}/{partition}/{offset}", About.FOUND, (r, v) -> new Positions(v).one(r));
        table.add("/v1/accounting", About.WHOLE, (r, v) -> new Balance(v, readiness.progress()).accounting(r));
    }

    /** The routes that read views. */
    private interface Table {
        void add(String path, About about, Answer answer);
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
