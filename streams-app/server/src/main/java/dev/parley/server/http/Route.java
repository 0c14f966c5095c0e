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
 * @param largeBodies limits of bodies beyond {@code http.limits.body.bytes}, only for a path without parameters; empty
 *     if there are none
 * @param task handles a request
 */
public record Route(
        HttpMethod method,
        String path,
        Role needs,
        boolean isLogged,
        Optional<BodyAdmission.Limits> largeBodies,
        Task task) {

    /** Liveness. Needs no token, so that restarts do not depend on a secret. */
    public static final String LIVE = "/health/live";

    public static final String READY = "/health/ready";

    /** A route whose requests the access log records. */
    public Route(HttpMethod method, String path, Role needs, Task task) {
        this(method, path, needs, true, Optional.empty(), task);
    }

    /**
     * The route without entries in the access log: its responses are about the caller or the deployment, and contain no
     * messages of others.
     */
    public Route unlogged() {
        return new Route(method, path, needs, false, largeBodies, task);
    }

    /** The route with large bodies, for callers with its role. */
    public Route withLargeBodies(BodyAdmission.Limits limits) {
        return new Route(method, path, needs, isLogged, Optional.of(limits), task);
    }

    /** Whether a caller may use the route. */
    public boolean allows(Caller caller) {
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
        return new Route(
                HttpMethod.GET,
                path,
                Role.NONE,
                false,
                Optional.empty(),
                (request, executor) -> CompletableFuture.completedFuture(handler.apply(request)));
    }

    /** An unlogged GET route for operators of this instance, such as metrics. */
    public static Route get(String path, Function<ApiRequest, ?> handler) {
        return on(Pool.OPERATIONS, path, handler).unlogged();
    }

    /** A GET route that reads data on this instance. */
    public static Route local(String path, Function<ApiRequest, ?> handler) {
        return on(Pool.LOCAL, path, handler);
    }

    /** A GET route that reads dead letters or redrives from brokers. */
    public static Route deadLetters(String path, Function<ApiRequest, ?> handler) {
        return on(Pool.DEAD_LETTERS, path, handler);
    }

    /** A GET route that reads the views of all instances. */
    public static Route views(String path, Task task) {
        return new Route(HttpMethod.GET, path, Role.READER, task);
    }

    private static Route on(Pool pool, String path, Function<ApiRequest, ?> handler) {
        return views(path, (request, executor) -> executor.call(pool, () -> handler.apply(request)));
    }
}
