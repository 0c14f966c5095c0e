package dev.parley.query;

import dev.parley.access.Role;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

/**
 * One thing that the API does.
 *
 * @param method GET, which HEAD takes too, or POST
 * @param path its path, names in braces
 * @param needs the least role that may ask for it; NONE where nobody is asked who they are
 * @param handler what answers
 */
record Route(HandlerType method, String path, Role needs, Handler handler) {

    static Route open(String path, Handler handler) {
        return new Route(HandlerType.GET, path, Role.NONE, handler);
    }

    static Route get(String path, Handler handler) {
        return new Route(HandlerType.GET, path, Role.READER, handler);
    }

    static Route post(String path, Role needs, Handler handler) {
        return new Route(HandlerType.POST, path, needs, handler);
    }
}
