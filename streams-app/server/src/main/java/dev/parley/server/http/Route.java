package dev.parley.server.http;

import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
import dev.parley.server.http.RequestExecutor.Pool;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpMethod;

/**
 * A path of the API and its handler.
 *
 * @param method GET, which includes HEAD, or POST
 * @param path path with parameters in braces; a last parameter {@code {path}} has slashes
 * @param needs minimum role of the caller; NONE for any authenticated one. Only {@link #LIVE} needs no token
 * @param isLogged whether requests read conversations, by any method, for the access log
 * @param isScoped whether its responses and effects are limited to the namespaces of the caller; if not, callers that
 *     are bound to namespaces may not use it
 * @param largeBodies limits of bodies beyond {@code http.limits.body.bytes}, only for a path without parameters; empty
 *     if there are none
 * @param task handles a request
 */
public record Route(
        HttpMethod method,
        String path,
        Role needs,
        boolean isLogged,
        boolean isScoped,
        Optional<BodyAdmission.Limits> largeBodies,
        Task task) {

    /** Liveness. Needs no token, so that restarts do not depend on a secret. */
    public static final String LIVE = "/health/live";

    public static final String READY = "/health/ready";

    /** A route whose requests the access log records, for callers of all namespaces. */
    public Route(HttpMethod method, String path, Role needs, Task task) {
        this(method, path, needs, true, false, Optional.empty(), task);
    }

    /**
     * The route for callers that are bound to namespaces, too. It reads the views by {@code ViewApi}, which shows a
     * caller only its namespaces, limits other sources itself, or has nothing of any namespace.
     */
    public Route scoped() {
        return new Route(method, path, needs, isLogged, true, largeBodies, task);
    }

    /**
     * The route without entries in the access log: its responses are about the caller or the deployment, and contain no
     * messages of others.
     */
    public Route unlogged() {
        return new Route(method, path, needs, false, isScoped, largeBodies, task);
    }

    /** The route with large bodies, for callers with its role. */
    public Route withLargeBodies(BodyAdmission.Limits limits) {
        return new Route(method, path, needs, isLogged, isScoped, Optional.of(limits), task);
    }

    /** Whether a caller may use the route. */
    public boolean allows(Caller caller) {
        return hasRole(caller) && (isScoped || !caller.isBound());
    }

    /** Whether a caller has the role that the route needs. */
    boolean hasRole(Caller caller) {
        return caller.role().includes(needs);
    }

    /** Handles a request. */
    @FunctionalInterface
    public interface Task {

        /**
         * Starts handling a request.
         *
         * @return the body of the response: a {@link Content}, or a result, which is written as JSON; null if the
         *     response has no body, or is a {@link ResponseStream}
         */
        CompletableFuture<?> start(ApiRequest request, RequestExecutor executor) throws Exception;
    }

    /** A body that is not JSON. */
    public record Content(String type, byte[] bytes) {
        /** The type of a body that is not text. */
        public static final String BINARY = "application/octet-stream";
    }

    /** An unlogged GET route for every authenticated caller, which needs no free thread of a pool. */
    public static Route open(String path, Function<ApiRequest, ?> handler) {
        Task task = (request, executor) -> CompletableFuture.completedFuture(handler.apply(request));
        return new Route(HttpMethod.GET, path, Role.NONE, task).unlogged().scoped();
    }

    /** An unlogged GET route for operators of this instance, such as metrics. */
    public static Route get(String path, Function<ApiRequest, ?> handler) {
        return on(Pool.OPERATIONS, path, handler).unlogged();
    }

    /** A GET route that reads data on this instance. */
    public static Route local(String path, Function<ApiRequest, ?> handler) {
        return on(Pool.LOCAL, path, handler);
    }

    /** A POST route whose effects are limited to the namespaces of the caller. */
    public static Route post(String path, Role needs, Task task) {
        return new Route(HttpMethod.POST, path, needs, task).scoped();
    }

    /** A GET route that reads the views of all instances. */
    public static Route views(String path, Task task) {
        return new Route(HttpMethod.GET, path, Role.READER, task);
    }

    private static Route on(Pool pool, String path, Function<ApiRequest, ?> handler) {
        return views(path, (request, executor) -> executor.call(pool, () -> handler.apply(request)));
    }
}
