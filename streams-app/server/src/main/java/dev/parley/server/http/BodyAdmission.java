package dev.parley.server.http;

import dev.parley.server.auth.AuthenticationResult;
import dev.parley.server.auth.Authenticator;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Admits large bodies of one path before they are read. Only callers with its role get more memory than
 * {@code http.limits.body.bytes}, all of them together a bounded amount, and one of them half of what the others leave.
 * Thread-safe.
 */
public final class BodyAdmission {

    private final Optional<Authenticator> authentication;
    private final Limits limits;
    private final Map<String, Long> usedByCaller = new HashMap<>();
    private long used;

    /**
     * Limits of the bodies of a path.
     *
     * @param path the path
     * @param role minimum role of callers who may send large bodies
     * @param bodyBytes maximum bytes of a body
     * @param bodyKey configuration key of that maximum
     * @param inFlightBytes maximum bytes of all bodies in progress
     * @param exceeded the problem of a request beyond that maximum
     */
    public record Limits(
            String path,
            Role role,
            int bodyBytes,
            String bodyKey,
            long inFlightBytes,
            Supplier<ProblemException> exceeded) {}

    /** @param authentication verifies tokens; empty if no caller may send large bodies */
    public BodyAdmission(Optional<Authenticator> authentication, Limits limits) {
        this.authentication = authentication;
        this.limits = limits;
    }

    Limits limits() {
        return limits;
    }

    /** Whether a caller may send a large body to a path. */
    boolean admits(String path, Caller caller) {
        return path.equals(limits.path()) && caller.role().includes(limits.role());
    }

    /** The caller of a request who may send a large body; empty for any other request or caller. */
    Optional<Caller> caller(Request request) {
        String path = Request.getPathInContext(request);
        if (!path.equals(limits.path())) {
            return Optional.empty();
        }
        return authentication
                .flatMap(tokens -> SecurityFilter.token(request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION))
                        .map(tokens::identify))
                .flatMap(result -> result instanceof AuthenticationResult.Known known
                        ? Optional.of(known.caller())
                        : Optional.empty())
                .filter(caller -> admits(path, caller));
    }

    /** Reserves memory for a body; false if there is no more for the caller, which always gets one body of free memory. */
    synchronized boolean reserve(Caller caller, long bytes) {
        long own = usedByCaller.getOrDefault(caller.name(), 0L) + bytes;
        long free = limits.inFlightBytes() - used - bytes;
        if (free < 0 || own > Math.max(limits.bodyBytes(), free)) {
            return false;
        }
        used += bytes;
        usedByCaller.put(caller.name(), own);
        return true;
    }

    synchronized void release(Caller caller, long bytes) {
        used -= bytes;
        usedByCaller.computeIfPresent(caller.name(), (name, own) -> own == bytes ? null : own - bytes);
    }
}
