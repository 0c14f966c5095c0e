package dev.parley.query;

import dev.parley.access.Authentication;
import dev.parley.access.Caller;
import dev.parley.access.Identification;
import dev.parley.access.RateLimit;
import dev.parley.access.Role;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.types.Password;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every request passes here before a route sees it: its size, who asks, how often, and what the asker may do. */
final class Gate {

    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
    private static final String CALLER = Gate.class.getName() + ".caller";
    private static final String BODY = Gate.class.getName() + ".body";
    private static final String SCHEME = "Bearer ";
    private static final String CHALLENGE = "Bearer realm=\"parley\"";
    private static final int NETWORK_BYTES = 8;

    private final Optional<Authentication> authentication;
    private final RateLimit rate;
    private final int bodyBytes;
    private final Optional<Password> peers;

    Gate(Doors doors) {
        this.authentication = doors.authentication();
        this.rate = doors.rate();
        this.peers = doors.peers();
        this.bodyBytes = doors.limits().bodyBytes();
    }

    /** Who asks; known once {@link #enter} has let the request pass. */
    static Caller caller(Context request) {
        Caller caller = request.attribute(CALLER);
        if (caller == null) {
            throw new IllegalStateException("a request came in beside the gate");
        }
        return caller;
    }

    /** Lets a request pass, or throws a {@link Problem}. */
    void enter(Context request) {
        request.header("Cache-Control", "no-store").header("X-Content-Type-Options", "nosniff");
        if (request.path().equals(Routes.LIVE)) {
            // Not limited either: who makes Parley busy must not get it started again.
            request.attribute(CALLER, new Caller("anybody", Role.NONE));
            return;
        }
        boolean peer = Hop.is(request) && isPeer(request);
        Caller caller =
                authentication.isPresent() ? identify(request, authentication.get(), peer) : anonymous(request, peer);
        request.attribute(CALLER, caller);
        measure(request);
    }

    /** The handler of a route behind the role that the route needs. */
    Handler guard(Route route) {
        return request -> {
            Caller caller = caller(request);
            if (!caller.role().includes(route.needs())) {
                throw missing(caller, route.needs());
            }
            route.handler().handle(request);
        };
    }

    /** The body of a request, no longer than it may be; known once {@link #enter} has let the request pass. */
    static byte[] body(Context request) {
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
                throw Problem.of(
                        Problem.Code.BODY_TOO_LARGE,
                        "A request's body may have " + bodyBytes + " bytes (http.limits.body.bytes).");
            }
        } catch (IOException e) {
            throw Problem.of(Problem.Code.INVALID_REQUEST, "The request's body cannot be read.");
        }
    }

    /**
     * Whether a process of the same deployment has proved that it asks: it asks for a caller whom it has charged. Where nobody is asked who they are, and no secret
     * is configured, a question of a peer is one like any other.
     */
    private boolean isPeer(Context request) {
        if (peers.isPresent()) {
            byte[] shown = request.header(Hop.PEER).getBytes(StandardCharsets.UTF_8);
            if (MessageDigest.isEqual(shown, peers.get().value().getBytes(StandardCharsets.UTF_8))) {
                return true;
            }
        } else if (authentication.isEmpty()) {
            return false;
        }
        charge(address(request));
        LOG.warn("{} asks as a peer, and does not prove it; http.peers.secret must be the same in all", request.ip());
        throw Problem.of(
                Problem.Code.PEER_REFUSED,
                "The header " + Hop.PEER + " does not prove a process of this deployment (http.peers.secret).");
    }

    private Caller anonymous(Context request, boolean peer) {
        if (!peer) {
            charge(address(request));
        }
        return Caller.ANONYMOUS;
    }

    private Caller identify(Context request, Authentication known, boolean peer) {
        Optional<String> token = token(request);
        if (token.isEmpty()) {
            charge(address(request));
            throw Problem.of(
                    Problem.Code.TOKEN_MISSING,
                    "The header Authorization: Bearer with a token is missing.",
                    Map.of("WWW-Authenticate", CHALLENGE));
        }
        Identification identification = known.identify(token.get());
        if (identification instanceof Identification.Known found) {
            if (!peer) {
                charge(found.caller().name());
            }
            return found.caller();
        }
        charge(address(request));
        if (identification instanceof Identification.Refused refused) {
            LOG.debug("Refused a token from {}: {}", request.ip(), refused.reason());
            throw Problem.of(
                    Problem.Code.TOKEN_INVALID,
                    "The token is not accepted: " + refused.reason().text() + ".",
                    Map.of("WWW-Authenticate", CHALLENGE + ", error=\"invalid_token\""));
        }
        throw Problem.of(
                Problem.Code.TOKENS_UNAVAILABLE,
                ((Identification.Unavailable) identification).detail(),
                Map.of("Retry-After", QueryServer.RETRY_AFTER_SECONDS));
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

    private void charge(String caller) {
        long seconds = rate.take(caller);
        if (seconds > 0) {
            throw Problem.of(
                    Problem.Code.RATE_LIMITED,
                    "Too many requests of one caller; the next is answered in " + seconds + " s.",
                    Map.of("Retry-After", Long.toString(seconds)));
        }
    }

    private Problem missing(Caller caller, Role needed) {
        String has = caller.role() == Role.NONE
                ? "no role"
                : "the role " + caller.role().text();
        if (authentication.isEmpty()) {
            return Problem.of(
                    Problem.Code.ROLE_MISSING,
                    "This needs the role " + needed.text()
                            + ", which nobody has where no tokens are configured (http.auth.tokens.file,"
                            + " http.auth.oidc.issuer).");
        }
        return Problem.of(
                Problem.Code.ROLE_MISSING,
                "This needs the role " + needed.text() + "; the token gives " + has + ".",
                Map.of("WWW-Authenticate", CHALLENGE + ", error=\"insufficient_scope\""));
    }

    /** Whom to charge when nobody is known: the address; of IPv6 its network, since one caller has a whole one. */
    private static String address(Context request) {
        String ip = request.ip();
        try {
            // An address in figures; no name is looked up.
            InetAddress address = InetAddress.getByName(ip);
            return address instanceof Inet6Address
                    ? HexFormat.of().formatHex(address.getAddress(), 0, NETWORK_BYTES)
                    : ip;
        } catch (UnknownHostException e) {
            return ip;
        }
    }
}
