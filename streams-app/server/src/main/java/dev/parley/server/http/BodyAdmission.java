package dev.parley.server.http;

import dev.parley.server.auth.AuthenticationResult;
import dev.parley.server.auth.Authenticator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Request;

/**
 * Admits large bodies of the routes that have them, before they are read. Only callers with the role of a route get
 * more memory than {@code http.limits.body.bytes}, all of them together a bounded amount, and one of them half of what
 * the others leave. Thread-safe.
 */
public final class BodyAdmission {

    private final Optional<Authenticator> authentication;
    private final Optional<Sessions> sessions;
    private final Map<String, Bodies> byPath = new HashMap<>();

    /**
     * Limits of the bodies of a route.
     *
     * @param bodyBytes maximum bytes of a body
     * @param bodyKey configuration key of that maximum
     * @param inFlightBytes maximum bytes of all bodies in progress
     * @param exceeded the problem of a request beyond that maximum
     */
    public record Limits(int bodyBytes, String bodyKey, long inFlightBytes, Supplier<ProblemException> exceeded) {}

    /**
     * Admits the bodies of routes.
     *
     * @param authentication verifies tokens; empty if no caller may send large bodies
     * @param sessions sessions of the console; empty if there is none
     * @param routes all routes of the API
     */
    public BodyAdmission(Optional<Authenticator> authentication, Optional<Sessions> sessions, List<Route> routes) {
        this.authentication = authentication;
        this.sessions = sessions;
        routes.forEach(route -> route.largeBodies().ifPresent(limits -> {
            Bodies bodies = new Bodies(route, limits);
            byPath.put(route.path(), bodies);
            // A route also has the path with a final slash.
            byPath.put(route.path() + '/', bodies);
        }));
    }

    /** The sender of a request that may have a large body; empty for any other request or caller. */
    Optional<Sender> sender(Request request) {
        Bodies bodies = byPath.get(request.getHttpURI().getPath());
        if (bodies == null) {
            return Optional.empty();
        }
        return authentication
                .flatMap(tokens -> Sessions.token(sessions, request).map(tokens::identify))
                .flatMap(result -> result instanceof AuthenticationResult.Known known
                        ? Optional.of(known.caller())
                        : Optional.empty())
                .filter(bodies.route::allows)
                .map(caller -> new Sender(bodies, caller.name()));
    }

    /** A caller who may send a large body. */
    record Sender(Bodies bodies, String caller) {

        Limits limits() {
            return bodies.limits;
        }

        /**
         * Reserves memory for a body; false if there is no more for the caller, which always gets one body of free
         * memory.
         */
        boolean reserve(long bytes) {
            return bodies.reserve(caller, bytes);
        }

        void release(long bytes) {
            bodies.release(caller, bytes);
        }
    }

    /** The bodies of a route that are in progress. */
    static final class Bodies {
        private final Route route;
        private final Limits limits;
        private final Map<String, Long> usedByCaller = new HashMap<>();
        private long used;

        private Bodies(Route route, Limits limits) {
            this.route = route;
            this.limits = limits;
        }

        private synchronized boolean reserve(String caller, long bytes) {
            long own = usedByCaller.getOrDefault(caller, 0L) + bytes;
            long free = limits.inFlightBytes() - used - bytes;
            if (free < 0 || own > Math.max(limits.bodyBytes(), free)) {
                return false;
            }
            used += bytes;
            usedByCaller.put(caller, own);
            return true;
        }

        private synchronized void release(String caller, long bytes) {
            used -= bytes;
            usedByCaller.computeIfPresent(caller, (name, own) -> own == bytes ? null : own - bytes);
        }
    }
}
