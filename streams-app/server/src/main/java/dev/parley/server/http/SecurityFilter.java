package dev.parley.server.http;

import dev.parley.server.auth.AuthenticationResult;
import dev.parley.server.auth.Authenticator;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.auth.Role;
import dev.parley.server.http.AccessLog.Access;
import dev.parley.server.http.ProblemException.Code;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.eclipse.jetty.util.UrlEncoded;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filter before every route: {@link #filter} authenticates the caller, applies the rate and concurrency limits, and
 * reads the body. {@link #start} then checks the role and the namespaces that a route needs, and runs the route.
 */
public final class SecurityFilter {

    private static final Logger LOG = LoggerFactory.getLogger(SecurityFilter.class);
    private static final String CALLER = SecurityFilter.class.getName() + ".caller";
    private static final String SCHEME = "Bearer ";
    static final String CHALLENGE = "Bearer realm=\"parley\"";

    private final Optional<Authenticator> authentication;
    private final Optional<Sessions> sessions;
    private final RateLimiter rate;
    private final int callerRequests;
    private final Optional<AccessLog> accessLog;
    private final RequestExecutor executor;
    private final Map<String, Integer> inProgress = new ConcurrentHashMap<>();

    /**
     * @param sessions sessions of the console; empty if there is none
     * @param accessLog records reads; empty to record nothing
     */
    public SecurityFilter(
            HttpSecurity httpSecurity,
            Optional<Sessions> sessions,
            Optional<AccessLog> accessLog,
            RequestExecutor executor) {
        this.sessions = sessions;
        this.accessLog = accessLog;
        this.authentication = httpSecurity.authentication();
        this.rate = httpSecurity.rate();
        this.callerRequests = httpSecurity.limits().callerRequests();
        this.executor = executor;
    }

    /** The caller of a request that passed {@link #filter}. */
    public static Caller caller(ApiRequest request) {
        Caller caller = request.attribute(CALLER);
        if (caller == null) {
            throw new IllegalStateException("the request did not pass the security filter");
        }
        return caller;
    }

    /** Admits a request, or throws a {@link ProblemException}. */
    public void filter(ApiRequest request) {
        request.header("Cache-Control", "no-store").header("X-Content-Type-Options", "nosniff");
        if (request.path().equals(Route.LIVE)) {
            // Not rate-limited: overload must not fail liveness checks and cause restarts.
            request.attribute(CALLER, new Caller("unknown", Role.NONE));
            requireDecodable(request);
            return;
        }
        Caller caller = authentication.isPresent() ? authenticate(request, authentication.get()) : anonymous(request);
        request.attribute(CALLER, caller);
        requireDecodable(request);
        if (!request.path().equals(Route.READY)) {
            limitConcurrency(request, authentication.isPresent() ? "token:" + caller.name() : address(request));
        }
        // Throws if ExchangeHandler did not read it.
        body(request);
    }

    /** Admits a request for a public file: without a token, but within the limits of its address. */
    public void admitPublic(ApiRequest request) {
        checkRateLimit(address(request));
        limitConcurrency(request, address(request));
    }

    /**
     * Counts a request of a caller until its response has been sent. Jetty's {@code ThreadLimitHandler} counts threads
     * of an address.
     */
    private void limitConcurrency(ApiRequest request, String name) {
        Exchange exchange = Exchange.of(request);
        if (inProgress.merge(name, 1, Integer::sum) > callerRequests) {
            release(name);
            throw Code.CONCURRENCY_LIMITED
                    .problem("The caller already has " + callerRequests
                            + " requests in progress, the maximum (http.limits.caller.requests). Retry when one of them"
                            + " is complete.")
                    .with(Map.of("Retry-After", "1"));
        }
        exchange.atEnd(() -> release(name));
    }

    private void release(String name) {
        inProgress.computeIfPresent(name, (key, count) -> count == 1 ? null : count - 1);
    }

    /** Rejects paths and queries with a percent sign that starts no encoded byte, or that are not UTF-8. */
    private void requireDecodable(ApiRequest request) {
        String target = request.target();
        boolean decodable;
        try {
            decodable = UrlEncoded.decodeUtf8To(target, 0, target.length(), (name, value) -> {});
        } catch (IllegalArgumentException e) {
            decodable = false;
        }
        if (!decodable) {
            throw Code.INVALID_REQUEST.problem(
                    "Path and query must be percent-encoded UTF-8: each % followed by two hexadecimal digits.");
        }
    }

    /**
     * Checks the role and the namespaces that a route needs, and runs the route.
     *
     * @return the body of the response, see {@link Route.Task}
     */
    CompletableFuture<?> start(Route route, ApiRequest request) throws Exception {
        Caller caller = caller(request);
        if (!route.hasRole(caller)) {
            throw roleMissing(caller, route.needs());
        }
        if (!route.allows(caller)) {
            throw Code.NAMESPACE_NOT_ALLOWED.problem("The response is about all namespaces, but the token allows only"
                    + " some. Use a token that is not bound to namespaces.");
        }
        if (accessLog.isPresent() && route.isLogged()) {
            log(accessLog.get(), route, request, caller);
        }
        return route.task().start(request, executor);
    }

    /** Reserves the entry of a read. Writes it before the response is sent, or when the exchange ends without one. */
    private static void log(AccessLog accessLog, Route route, ApiRequest request, Caller caller) {
        Consumer<Access> entry = accessLog
                .reserve()
                .orElseThrow(() -> Code.ACCESS_NOT_LOGGED.problem(
                        "The access log has no room for this read, so it is refused. The brokers do not accept"
                                + " its entries fast enough (http.access-log.buffer)."));
        Instant time = Instant.now();
        String target = request.target();
        Exchange exchange = Exchange.of(request);
        exchange.atAnswer(status -> entry.accept(new Access(
                time, caller.name(), caller.role().text(), route.path(), target, exchange.conversation(), status)));
    }

    /** The body of a request that passed {@link #filter}. */
    public static byte[] body(ApiRequest request) {
        return Exchange.of(request).body();
    }

    private Caller anonymous(ApiRequest request) {
        checkRateLimit(address(request));
        return Caller.ANONYMOUS;
    }

    private Caller authenticate(ApiRequest request, Authenticator authenticator) {
        Optional<String> token = Sessions.token(sessions, request.jetty());
        if (token.isEmpty()) {
            checkRateLimit(address(request));
            throw Code.TOKEN_MISSING
                    .problem("Send a token in the header Authorization: Bearer TOKEN.")
                    .with(Map.of("WWW-Authenticate", CHALLENGE));
        }
        AuthenticationResult result = authenticator.identify(token.get());
        if (result instanceof AuthenticationResult.Known found) {
            checkRateLimit(found.caller().name());
            return found.caller();
        }
        checkRateLimit(address(request));
        if (result instanceof AuthenticationResult.Refused refused) {
            LOG.debug("Refused a token from {}: {}", request.ip(), refused.reason());
            throw Code.TOKEN_INVALID
                    .problem("Invalid token: " + refused.reason().text() + ".")
                    .with(Map.of("WWW-Authenticate", CHALLENGE + ", error=\"invalid_token\""));
        }
        throw Code.TOKENS_UNAVAILABLE.problem(((AuthenticationResult.Unavailable) result).detail());
    }

    /** The bearer token of Authorization headers; empty unless there is exactly one. */
    static Optional<String> token(List<String> headers) {
        if (headers.size() != 1) {
            return Optional.empty();
        }
        String header = headers.get(0);
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(header.substring(SCHEME.length()).trim()).filter(token -> !token.isEmpty())
                : Optional.empty();
    }

    private void checkRateLimit(String caller) {
        long seconds = rate.acquire(caller);
        if (seconds > 0) {
            throw rateLimited(seconds);
        }
    }

    static ProblemException rateLimited(long seconds) {
        return Code.RATE_LIMITED
                .problem("Rate limit exceeded. Retry after " + seconds + " s.")
                .with(Map.of("Retry-After", Long.toString(seconds)));
    }

    private ProblemException roleMissing(Caller caller, Role needed) {
        String has =
                caller.role() == Role.NONE ? "no role" : "role " + caller.role().text();
        if (authentication.isEmpty()) {
            return Code.ROLE_MISSING.problem("Requires role " + needed.text()
                    + ", but authentication is off. Set http.auth.tokens.file or http.auth.oidc.issuer;"
                    + " start the demo with --token.");
        }
        return Code.ROLE_MISSING
                .problem("Requires role " + needed.text() + ", but the token grants " + has + ".")
                .with(Map.of("WWW-Authenticate", CHALLENGE + ", error=\"insufficient_scope\""));
    }

    /** The network to which the rate limit applies if the caller is unknown. */
    private static String address(ApiRequest request) {
        return Exchange.of(request).connection().network();
    }
}
