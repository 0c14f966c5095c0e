package dev.parley.server.http;

import dev.parley.server.auth.Role;
import dev.parley.server.http.RequestExecutor.Pool;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A path of the API and its handler.
 *
 * @param method GET, which includes HEAD, or POST
 * @param path path with parameters in braces
 * @param needs minimum role of the caller; NONE for requests without authentication
 * @param task handles a request
 */
public record Route(HandlerType method, String path, Role needs, Task task) {

    /** Liveness. Needs no token, so that restarts do not depend on a secret. */
    public static final String LIVE = "/health/live";

    public static final String READY = "/health/ready";

    /** Paths about the caller or the deployment, which contain nothing of conversations. */
    private static final Set<String> UNLOGGED = Set.of("/v1/whoami", "/v1/status", "/v1/accounting");

    /** Whether requests are reads of conversations, for the access log. */
    public boolean isLogged() {
        return method == HandlerType.GET && path.startsWith("/v1/") && !UNLOGGED.contains(path);
    }

    /** Starts handling a request; the response is set on the request when the future completes. */
    @FunctionalInterface
    public interface Task {
        CompletableFuture<?> start(Context request, RequestExecutor executor) throws Exception;
    }

    /** A GET route that needs no token and no free thread of a pool. */
    public static Route open(String path, Handler handler) {
        return new Route(HandlerType.GET, path, Role.NONE, (request, executor) -> {
            handler.handle(request);
            return CompletableFuture.completedFuture(null);
        });
    }

    /** A GET route for operators of this instance, such as metrics. */
    public static Route get(String path, Handler handler) {
        return new Route(HandlerType.GET, path, Role.READER, on(Pool.OPERATIONS, handler));
    }

    /** A GET route that reads data on this instance. */
    public static Route local(String path, Handler handler) {
        return new Route(HandlerType.GET, path, Role.READER, on(Pool.LOCAL, handler));
    }

    /** A GET route that reads the views of all instances. */
    public static Route views(String path, Task task) {
        return new Route(HandlerType.GET, path, Role.READER, task);
    }

    /** A POST route, which may block on brokers or peers. */
    public static Route post(String path, Role needs, Handler handler) {
        return new Route(HandlerType.POST, path, needs, on(Pool.REMOTE, handler));
    }

    private static Task on(Pool pool, Handler handler) {
        return (request, executor) -> executor.call(pool, () -> {
            handler.handle(request);
            return null;
        });
    }
}
