package dev.parley.server.http;

import dev.parley.server.access.AuthenticationResult;
import dev.parley.server.access.Authenticator;
import dev.parley.server.access.Caller;
import dev.parley.server.access.Role;
import dev.parley.server.ingest.IngestLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Admits bodies of HTTP ingest before they are read. Only callers who may send messages get more memory than
 * {@code http.limits.body.bytes}, all of them together a bounded amount, and one of them a quarter of it. Thread-safe.
 */
public final class IngestAdmission {

    private static final int CALLER_DIVISOR = 4;

    private final Optional<Authenticator> authentication;
    private final IngestLimits limits;
    private final Map<String, Long> usedByCaller = new HashMap<>();
    private long used;

    /** @param authentication verifies tokens; empty if no caller may send messages */
    public IngestAdmission(Optional<Authenticator> authentication, IngestLimits limits) {
        this.authentication = authentication;
        this.limits = limits;
    }

    /** Maximum bytes of a body on the ingest path. */
    int bodyBytes() {
        return limits.bodyBytes();
    }

    /** Whether a caller may send messages. */
    static boolean isProducer(Caller caller) {
        return caller.role().includes(Role.PRODUCER);
    }

    /** The caller of an ingest request who may send messages; empty for any other request or caller. */
    Optional<Caller> producer(Request request) {
        if (!Request.getPathInContext(request).equals(Route.WIRE)) {
            return Optional.empty();
        }
        return authentication
                .flatMap(tokens -> SecurityFilter.token(request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION))
                        .map(tokens::identify))
                .flatMap(result -> result instanceof AuthenticationResult.Known known
                        ? Optional.of(known.caller())
                        : Optional.empty())
                .filter(IngestAdmission::isProducer);
    }

    /** Reserves memory for a body; false if the caller, or all together, have no more. */
    synchronized boolean reserve(Caller caller, long bytes) {
        long own = usedByCaller.getOrDefault(caller.name(), 0L) + bytes;
        if (used + bytes > limits.inFlightBytes()
                || own > Math.max(limits.bodyBytes(), limits.inFlightBytes() / CALLER_DIVISOR)) {
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
