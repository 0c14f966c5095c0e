package dev.parley.server.http;

import dev.parley.logging.LogThrottle;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.cluster.PeerAssertion.Verified;
import dev.parley.server.cluster.PeerEndpoint;
import dev.parley.server.cluster.PeerHeaders;
import dev.parley.server.http.ProblemException.Code;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the requests of peers at {@link PeerHeaders#PATH}; all others go on to the routes of the public API. It
 * authenticates a request before it reads the body or uses a thread of a pool. Then it reads the body, which must be
 * the one that the assertion covers, and passes it to {@link PeerService}. A request without content proves this
 * instance to the peer: its response is authenticated like any other.
 */
final class PeerHandler extends Handler.Wrapper {

    private static final Logger LOG = LoggerFactory.getLogger(PeerHandler.class);

    private static final byte[] NO_BODY = {};

    private final Optional<PeerService> service;
    private final RateLimiter rate;
    private final ProblemHandler problems;
    private final LogThrottle refusals = new LogThrottle();

    /** @param service empty if this instance has no keys or no views, and so refuses all peers */
    PeerHandler(Optional<PeerService> service, RateLimiter rate, ProblemHandler problems) {
        this.service = service;
        this.rate = rate;
        this.problems = problems;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        List<String> assertions = request.getHeaders().getCSV(PeerHeaders.ASSERTION, false);
        if (assertions.isEmpty()) {
            return super.handle(request, response, callback);
        }
        // A CONNECT has no path.
        if (service.isEmpty() || !PeerHeaders.PATH.equals(Request.getPathInContext(request))) {
            return refuse(request, response, callback);
        }
        String target = request.getHttpURI().getPathQuery();
        boolean proof = HttpMethod.GET.is(request.getMethod());
        Optional<Verified> verified = proof
                        || HttpMethod.POST.is(request.getMethod())
                                && request.getLength() <= PeerEndpoint.MAX_REQUEST_BYTES
                ? service.get().authenticator().accept(assertions, request.getMethod(), target)
                : Optional.empty();
        if (verified.isEmpty() || proof && !verified.get().assertion().covers(NO_BODY)) {
            return refuse(request, response, callback);
        }
        if (proof) {
            respond(response, callback, service.get(), verified.get(), NO_BODY);
        } else {
            read(request, Response.as(response, ExchangeResponse.class), service.get(), verified.get());
        }
        return true;
    }

    private void read(Request request, ExchangeResponse response, PeerService peers, Verified peer) {
        BodyReader.read(request, response, PeerEndpoint.MAX_REQUEST_BYTES, read -> {
            Optional<byte[]> body = read.filter(bytes -> peer.assertion().covers(bytes));
            if (body.isEmpty()) {
                refuse(request, response, response.completion());
                return;
            }
            peers.answer(request, peer, body.get())
                    .thenAccept(message -> {
                        if (!Exchange.of(request).hasEnded()) {
                            respond(response, response.completion(), peers, peer, message);
                        }
                    })
                    .exceptionally(failure -> {
                        response.completion().failed(failure);
                        return null;
                    });
        });
    }

    private static void respond(
            Response response, Callback callback, PeerService peers, Verified peer, byte[] message) {
        response.setStatus(HttpStatus.OK_200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, PeerHeaders.CONTENT_TYPE);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders()
                .put(PeerHeaders.RESPONSE, peers.authenticator().signResponse(peer, HttpStatus.OK_200, message));
        response.write(true, ByteBuffer.wrap(message), callback);
    }

    private boolean refuse(Request request, Response response, Callback callback) {
        long seconds = rate.acquire(Exchange.of(request).connection().network());
        if (seconds > 0) {
            return problems.refuse(response, callback, SecurityFilter.rateLimited(seconds));
        }
        refusals.log(repeated -> LOG.warn(
                "Refused a peer request from {}: {}.{}",
                Request.getRemoteAddr(request),
                service.isPresent()
                        ? "invalid proof; check http.peers.secret, http.advertised and the clocks of all instances"
                        : "http.peers.secret is not set",
                repeated == 0 ? "" : " " + repeated + " more since the previous line."));
        return problems.refuse(
                response,
                callback,
                Code.PEER_REFUSED
                        .problem(
                                service.isPresent()
                                        ? "The proof is invalid. Set the same http.peers.secret on all instances."
                                        : "This instance accepts no peers. Set http.peers.secret on all instances.")
                        .with(Map.of("Connection", "close")));
    }
}
