package dev.parley.query.http;

import dev.parley.access.RateLimiter;
import dev.parley.query.cluster.LogThrottle;
import dev.parley.query.cluster.PeerAssertion.Verified;
import dev.parley.query.cluster.PeerAuthenticator;
import dev.parley.query.cluster.PeerEndpoint;
import dev.parley.query.cluster.PeerHeaders;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves peers at {@link PeerHeaders#PATH}, and no one else. A request that claims to come from a peer is authenticated
 * before anything is granted to it: no body is read, and no thread of a pool is taken. Its body is read next and must
 * be the one that the assertion covers. No route of the public API sees a peer.
 */
public final class PeerHandler extends Handler.Wrapper {

    private static final Logger LOG = LoggerFactory.getLogger(PeerHandler.class);
    private static final int OK = 200;

    private final Optional<PeerService> service;
    private final RateLimiter rate;
    private final Metrics metrics;
    private final LogThrottle refusals = new LogThrottle();

    /** @param service empty if this instance has no keys or no views, and refuses all peers */
    PeerHandler(Optional<PeerService> service, RateLimiter rate, Metrics metrics) {
        this.service = service;
        this.rate = rate;
        this.metrics = metrics;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String challenge = request.getHeaders().get(PeerHeaders.PROOF);
        String assertion = request.getHeaders().get(PeerHeaders.ASSERTION);
        if (challenge == null && assertion == null) {
            return super.handle(request, response, callback);
        }
        boolean here = Request.getPathInContext(request).equals(PeerHeaders.PATH);
        if (challenge != null && here) {
            Optional<String> proof =
                    service.flatMap(known -> known.authenticator().prove(challenge));
            if (proof.isPresent()) {
                response.setStatus(OK);
                response.getHeaders().put(PeerHeaders.PROOF, proof.get());
                response.write(true, null, callback);
                return true;
            }
            return refuse(request, response, callback);
        }
        Optional<Verified> verified = assertion != null && here && HttpMethod.POST.is(request.getMethod())
                ? service.flatMap(known -> known.authenticator()
                        .accept(
                                assertion,
                                request.getMethod(),
                                request.getHttpURI().getPathQuery()))
                : Optional.empty();
        if (verified.isEmpty() || request.getLength() > PeerEndpoint.MAX_REQUEST_BYTES) {
            return refuse(request, response, callback);
        }
        read(request, Response.as(response, BufferedResponse.class), service.get(), verified.get());
        return true;
    }

    private void read(Request request, BufferedResponse response, PeerService known, Verified peer) {
        Exchange exchange = (Exchange) request.getAttribute(Exchange.attribute());
        new BodyReader(request, response, exchange, PeerEndpoint.MAX_REQUEST_BYTES, body -> {
                    if (body.length > PeerEndpoint.MAX_REQUEST_BYTES || !PeerAuthenticator.covers(peer, body)) {
                        refuse(request, response, response);
                        return;
                    }
                    known.answer(request, peer, body).thenAccept(message -> {
                        // After a shutdown has ended the exchange, there is no one to answer.
                        if (!exchange.hasEnded()) {
                            response.setStatus(OK);
                            response.getHeaders().put(HttpHeader.CONTENT_TYPE, PeerHeaders.CONTENT_TYPE);
                            response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
                            response.getHeaders()
                                    .put(
                                            PeerHeaders.RESPONSE,
                                            known.authenticator().signResponse(peer, OK, message));
                            response.write(true, ByteBuffer.wrap(message), response);
                        }
                    });
                })
                .start();
    }

    private boolean refuse(Request request, Response response, Callback callback) {
        String address = RemoteNetwork.of(Request.getRemoteAddr(request) == null ? "" : Request.getRemoteAddr(request));
        long seconds = rate.take(address);
        if (seconds > 0) {
            return answer(request, response, callback, SecurityFilter.rateLimited(seconds));
        }
        refusals.log(repeated -> LOG.warn(
                "Refused a request from {} that claims to come from a peer: {}.{}",
                Request.getRemoteAddr(request),
                service.isPresent()
                        ? "its proof does not match (http.peers.secret, http.advertised and the clocks of all"
                                + " instances)"
                        : "http.peers.secret is not set",
                repeated == 0 ? "" : " " + repeated + " more were refused since the last such line."));
        return answer(
                request,
                response,
                callback,
                ProblemException.of(
                        ProblemException.Code.PEER_REFUSED,
                        "The request does not prove that an instance of this deployment sends it ("
                                + (service.isPresent() ? "http.peers.secret" : "http.peers.secret is not set here")
                                + ").",
                        Map.of("Connection", "close")));
    }

    private boolean answer(Request request, Response response, Callback callback, ProblemException problem) {
        metrics.count(problem.code());
        write(request, response, callback, problem);
        return true;
    }

    /** Writes a problem outside of any route. */
    static void write(Request request, Response response, Callback callback, ProblemException problem) {
        response.setStatus(problem.code().status());
        problem.headers().forEach((name, value) -> response.getHeaders().put(name, value));
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.write(
                true,
                ByteBuffer.wrap(Json.bytes(ProblemHandler.body(
                        problem, RequestTarget.encode(request.getHttpURI().getPath())))),
                callback);
    }
}
