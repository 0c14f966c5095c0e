package dev.parley.server.api;

import dev.parley.json.model.CallerInfo;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
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

    CallerInfo whoami(Context request) {
        Parameters.of(request);
        Caller caller = SecurityFilter.caller(request);
        return new CallerInfo(
                tokens,
                caller.name(),
                Role.GIVEN.stream()
                        .filter(caller.role()::includes)
                        .map(Role::text)
                        .toList(),
                caller.namespaces()
                        .map(bound -> bound.stream().sorted().toList())
                        .orElse(List.of("*")),
                new CallerInfo.Features(
                        allows(caller, HandlerType.GET, "/v1/search"),
                        allows(caller, HandlerType.GET, "/v1/tail"),
                        allows(caller, HandlerType.GET, "/v1/stats/traffic"),
                        allows(caller, HandlerType.POST, "/v1/wire"),
                        allows(caller, HandlerType.POST, "/v1/dead-letters"),
                        allows(caller, HandlerType.GET, "/v1/redrives"),
                        allows(caller, HandlerType.POST, "/v1/conversations"),
                        caller.role().seesPrivateMessages(),
                        accessLog));
    }

    /** Whether there is a route whose path begins so, and the caller has its role. */
    private boolean allows(Caller caller, HandlerType method, String path) {
        return routes.stream()
                .filter(route -> route.method() == method && route.path().startsWith(path))
                .anyMatch(route -> caller.role().includes(route.needs()));
    }
}
