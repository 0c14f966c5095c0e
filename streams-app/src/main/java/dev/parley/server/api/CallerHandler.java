package dev.parley.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.server.access.Caller;
import dev.parley.server.access.Role;
import dev.parley.server.http.Json;
import dev.parley.server.http.Route;
import dev.parley.server.http.SecurityFilter;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.List;

/** Answers who the caller is and which parts of the API the caller may use, so that a client shows no others. */
final class CallerHandler {

    private final List<Route> routes;
    private final boolean tokens;
    private final boolean accessLog;

    /**
     * @param routes all routes; read when a request arrives
     * @param tokens whether requests need a token
     * @param accessLog whether reads are logged
     */
    CallerHandler(List<Route> routes, boolean tokens, boolean accessLog) {
        this.routes = routes;
        this.tokens = tokens;
        this.accessLog = accessLog;
    }

    ObjectNode whoami(Context request) {
        Parameters.of(request);
        Caller caller = SecurityFilter.caller(request);
        ObjectNode answer = Json.object().put("tokens", tokens).put("principal", caller.name());
        ArrayNode roles = answer.putArray("roles");
        Role.GIVEN.stream().filter(caller.role()::includes).map(Role::text).forEach(roles::add);
        ArrayNode namespaces = answer.putArray("namespaces");
        caller.namespaces()
                .ifPresentOrElse(bound -> bound.stream().sorted().forEach(namespaces::add), () -> namespaces.add("*"));
        answer.putObject("features")
                .put("search", allows(caller, HandlerType.GET, "/v1/search"))
                .put("tail", allows(caller, HandlerType.GET, "/v1/tail"))
                .put("stats", allows(caller, HandlerType.GET, "/v1/stats/traffic"))
                .put("ingest", allows(caller, HandlerType.POST, "/v1/wire"))
                .put("redrive", allows(caller, HandlerType.POST, "/v1/dead-letters"))
                .put("redrives", allows(caller, HandlerType.GET, "/v1/redrives"))
                .put("redact", allows(caller, HandlerType.POST, "/v1/conversations"))
                .put("privateMessages", caller.role().seesPrivateMessages())
                .put("accessLog", accessLog);
        return answer;
    }

    /** Whether there is a route whose path begins so, and the caller has its role. */
    private boolean allows(Caller caller, HandlerType method, String path) {
        return routes.stream()
                .filter(route -> route.method() == method && route.path().startsWith(path))
                .anyMatch(route -> caller.role().includes(route.needs()));
    }
}
