package dev.parley.query.http;

import dev.parley.access.Role;
import dev.parley.query.http.RequestExecutor.Pool;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.util.concurrent.CompletableFuture;

/**
 * One thing that the API does.
 *
 * @param method GET, which HEAD takes too, or POST
 * @param path its path, names in braces
 * @param needs the least role that may ask for it; NONE where nobody is asked who they are
 * @param task what answers
 */
public record Route(HandlerType method, String path, Role needs, Task task) {

    /** Whether the instance should be restarted. It needs no token: that must not depend on a secret. */
    public static final String LIVE = "/health/live";

    /** Whether the instance does its whole work now. */
    public static final String READY = "/health/ready";

    /** Begins to answer a request; the answer is set on it when the future completes. */
    @FunctionalInterface
    public interface Task {
        CompletableFuture<?> start(Context request, RequestExecutor executor) throws Exception;
    }

    /** Needs no token and no free thread. */
    public static Route open(String path, Handler handler) {
        return new Route(HandlerType.GET, path, Role.NONE, (request, executor) -> {
            handler.handle(request);
            return CompletableFuture.completedFuture(null);
        });
    }

    public static Route get(String path, Handler handler) {
        return new Route(HandlerType.GET, path, Role.READER, on(Pool.OPERATIONS, handler));
    }

    /** Reads what this instance has in memory or in its stores. */
    public static Route local(String path, Handler handler) {
        return new Route(HandlerType.GET, path, Role.READER, on(Pool.LOCAL, handler));
    }

    public static Route views(String path, Task task) {
        return new Route(HandlerType.GET, path, Role.READER, task);
    }

    public static Route post(String path, Role needs, Handler handler) {
        return new Route(HandlerType.POST, path, needs, on(Pool.REMOTE, handler));
    }

    private static Task on(Pool pool, Handler handler) {
        return (request, executor) -> executor.run(pool, () -> handler.handle(request));
    }
}
