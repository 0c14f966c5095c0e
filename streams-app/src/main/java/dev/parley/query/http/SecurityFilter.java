package dev.parley.query.http;

import dev.parley.access.AuthenticationResult;
import dev.parley.access.Authenticator;
import dev.parley.access.Caller;
import dev.parley.access.RateLimiter;
import dev.parley.access.Role;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every request passes here before a route sees it: its size, who asks, how often, and what the asker may do. */
public final class SecurityFilter {

    private static final Logger LOG = LoggerFactory.getLogger(SecurityFilter.class);
    private static final String CALLER = SecurityFilter.class.getName() + ".caller";
    private static final String BODY = SecurityFilter.class.getName() + ".body";
    private static final String SCHEME = "Bearer ";
    private static final String CHALLENGE = "Bearer realm=\"parley\"";

    private final Optional<Authenticator> authentication;
    private final RateLimiter rate;
    private final int bodyBytes;
    private final int targetBytes;
    private final int callerRequests;
    private final RequestExecutor executor;
    private final Map<String, Integer> inProgress = new ConcurrentHashMap<>();

    public SecurityFilter(HttpSecurity httpSecurity, RequestExecutor executor) {
        this.authentication = httpSecurity.authentication();
        this.rate = httpSecurity.rate();
        this.callerRequests = httpSecurity.limits().shares().callerRequests();
        this.executor = executor;
        this.bodyBytes = httpSecurity.limits().bodyBytes();
        this.targetBytes = httpSecurity.limits().headerBytes() / 4 * 3;
    }

    /** Who asks; known once {@link #filter} has let the request pass. */
    public static Caller caller(Context request) {
        Caller caller = request.attribute(CALLER);
        if (caller == null) {
            throw new IllegalStateException("a request came in beside the gate");
        }
        return caller;
    }

    /** Lets a request pass, or throws a {@link ProblemException}. */
    public void filter(Context request) {
        request.header("Cache-Control", "no-store").header("X-Content-Type-Options", "nosniff");
        if (request.path().equals(Route.LIVE)) {
            // Not limited either: who makes Parley busy must not get it started again.
            request.attribute(CALLER, new Caller("anybody", Role.NONE));
            return;
        }
        Caller caller = authentication.isPresent() ? identify(request, authentication.get()) : anonymous(request);
        request.attribute(CALLER, caller);
        requireDecodable(request);
        if (!request.path().equals(Route.READY)) {
            occupy(request, authentication.isPresent() ? "token:" + caller.name() : address(request));
        }
        measure(request);
    }

    /** One of the caller's places, until the response has been sent. */
    private void occupy(Context request, String name) {
        Exchange exchange = request.attribute(Exchange.attribute());
        if (inProgress.merge(name, 1, Integer::sum) > callerRequests) {
            release(name);
            throw ProblemException.of(
                    ProblemException.Code.CONCURRENCY_LIMITED,
                    "The caller has " + callerRequests
                            + " requests in progress, the maximum (http.limits.caller.requests). Retry when one of them"
                            + " has been answered.",
                    Map.of("Retry-After", "1"));
        }
        exchange.atEnd(() -> release(name));
    }

    private void release(String name) {
        inProgress.computeIfPresent(name, (key, count) -> count == 1 ? null : count - 1);
    }

    /** What one instance can decode and another cannot even be asked for is refused by all. */
    private void requireDecodable(Context request) {
        String query = request.req().getQueryString();
        String target = request.req().getRequestURI() + (query == null ? "" : '?' + query);
        if (!RequestTarget.isDecodable(target)) {
            throw ProblemException.of(
                    ProblemException.Code.INVALID_REQUEST,
                    "Path and query must be percent-encoded UTF-8: each % followed by two hexadecimal digits.");
        }
        if (RequestTarget.encode(target).length() > targetBytes) {
            throw ProblemException.of(
                    ProblemException.Code.URI_TOO_LONG,
                    "The request's path and query, percent-encoded, must have at most " + targetBytes
                            + " bytes (three quarters of http.limits.header.bytes).");
        }
    }

    /** The handler of a route behind the role that the route needs. */
    public Handler requireRole(Route route) {
        return request -> {
            Caller caller = caller(request);
            if (!caller.role().includes(route.needs())) {
                throw missing(caller, route.needs());
            }
            CompletableFuture<?> answer = route.task().start(request, executor);
            if (!answer.isDone() || answer.isCompletedExceptionally()) {
                request.future(() -> whileOpen(request.attribute(Exchange.attribute()), answer));
            }
        };
    }

    /** An answer that comes after the server has given up the request, as at a stop, goes nowhere. */
    private static CompletableFuture<Object> whileOpen(Exchange exchange, CompletableFuture<?> answer) {
        CompletableFuture<Object> open = new CompletableFuture<>();
        answer.whenComplete((result, failure) -> {
            if (exchange.hasEnded()) {
                return;
            }
            if (failure == null) {
                open.complete(result);
            } else {
                open.completeExceptionally(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            }
        });
        return open;
    }

    /** The body of a request, no longer than it may be; known once {@link #filter} has let the request pass. */
    public static byte[] body(Context request) {
        return request.attribute(BODY);
    }

    /** Most requests need no body; one is read no further than it may go. */
    private void measure(Context request) {
        long declared = request.req().getContentLengthLong();
        try {
            byte[] body =
                    declared > bodyBytes ? null : request.req().getInputStream().readNBytes(bodyBytes + 1);
            request.attribute(BODY, body);
            if (body == null || body.length > bodyBytes) {
                throw ProblemException.of(
                        ProblemException.Code.BODY_TOO_LARGE,
                        "A request's body may have " + bodyBytes + " bytes (http.limits.body.bytes).");
            }
        } catch (IOException e) {
            throw ProblemException.of(ProblemException.Code.INVALID_REQUEST, "The request's body cannot be read.");
        }
    }

    private Caller anonymous(Context request) {
        checkRateLimit(address(request));
        return Caller.ANONYMOUS;
    }

    private Caller identify(Context request, Authenticator known) {
        Optional<String> token = token(request);
        if (token.isEmpty()) {
            checkRateLimit(address(request));
            throw ProblemException.of(
                    ProblemException.Code.TOKEN_MISSING,
                    "The header Authorization: Bearer with a token is missing.",
                    Map.of("WWW-Authenticate", CHALLENGE));
        }
        AuthenticationResult authenticationResult = known.identify(token.get());
        if (authenticationResult instanceof AuthenticationResult.Known found) {
            checkRateLimit(found.caller().name());
            return found.caller();
        }
        checkRateLimit(address(request));
        if (authenticationResult instanceof AuthenticationResult.Refused refused) {
            LOG.debug("Refused a token from {}: {}", request.ip(), refused.reason());
            throw ProblemException.of(
                    ProblemException.Code.TOKEN_INVALID,
                    "The token is not accepted: " + refused.reason().text() + ".",
                    Map.of("WWW-Authenticate", CHALLENGE + ", error=\"invalid_token\""));
        }
        throw ProblemException.unavailable(
                ProblemException.Code.TOKENS_UNAVAILABLE,
                ((AuthenticationResult.Unavailable) authenticationResult).detail());
    }

    /** The bearer token; empty when there is none. */
    private static Optional<String> token(Context request) {
        List<String> headers = Collections.list(request.req().getHeaders("Authorization"));
        if (headers.size() != 1) {
            return Optional.empty();
        }
        String header = headers.get(0);
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(header.substring(SCHEME.length()).trim()).filter(token -> !token.isEmpty())
                : Optional.empty();
    }

    private void checkRateLimit(String caller) {
        long seconds = rate.take(caller);
        if (seconds > 0) {
            throw rateLimited(seconds);
        }
    }

    static ProblemException rateLimited(long seconds) {
        return ProblemException.of(
                ProblemException.Code.RATE_LIMITED,
                "Too many requests of one caller; the next is answered in " + seconds + " s.",
                Map.of("Retry-After", Long.toString(seconds)));
    }

    private ProblemException missing(Caller caller, Role needed) {
        String has = caller.role() == Role.NONE
                ? "no role"
                : "the role " + caller.role().text();
        if (authentication.isEmpty()) {
            return ProblemException.of(
                    ProblemException.Code.ROLE_MISSING,
                    "This needs the role " + needed.text()
                            + ", which nobody has where no tokens are configured (http.auth.tokens.file,"
                            + " http.auth.oidc.issuer).");
        }
        return ProblemException.of(
                ProblemException.Code.ROLE_MISSING,
                "This needs the role " + needed.text() + "; the token gives " + has + ".",
                Map.of("WWW-Authenticate", CHALLENGE + ", error=\"insufficient_scope\""));
    }

    /** Whom to charge when nobody is known. */
    private static String address(Context request) {
        return RemoteNetwork.of(request.ip());
    }
}
