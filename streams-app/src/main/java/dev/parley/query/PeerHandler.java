package dev.parley.query;

import dev.parley.access.RateLimit;
import dev.parley.query.PeerAssertion.Verified;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates requests of peers before anything else is granted to them: no body is read, no thread of a pool is taken, and no route is looked for. A request that
 * claims to come from a peer without proof is refused here.
 */
final class PeerHandler extends Handler.Wrapper {

    private static final Logger LOG = LoggerFactory.getLogger(PeerHandler.class);
    private static final String VERIFIED = PeerHandler.class.getName();
    private static final int OK = 200;

    private final Optional<PeerAuthenticator> authenticator;
    private final RateLimit rate;
    private final Metrics metrics;
    private final LogThrottle refusals = new LogThrottle();

    /** @param authenticator empty if this instance has no keys, and refuses all peers */
    PeerHandler(Optional<PeerAuthenticator> authenticator, RateLimit rate, Metrics metrics) {
        this.authenticator = authenticator;
        this.rate = rate;
        this.metrics = metrics;
    }

    /** The assertion that came with a request of a peer; empty for any other request. */
    static Optional<PeerAssertion> assertion(Object verified) {
        return verified instanceof Verified found ? Optional.of(found.assertion()) : Optional.empty();
    }

    /** Name of the request attribute for {@link #assertion}. */
    static String attribute() {
        return VERIFIED;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String challenge = request.getHeaders().get(PeerAuthenticator.PROOF);
        String assertion = request.getHeaders().get(Hop.PEER);
        if (challenge == null && assertion == null) {
            return super.handle(request, response, callback);
        }
        if (challenge != null && Request.getPathInContext(request).equals(PeerAuthenticator.CHALLENGE_PATH)) {
            Optional<String> proof = authenticator.flatMap(known -> known.prove(challenge));
            if (proof.isPresent()) {
                response.setStatus(OK);
                response.getHeaders().put(PeerAuthenticator.PROOF, proof.get());
                response.write(true, null, callback);
                return true;
            }
            return refuse(request, response, callback);
        }
        Optional<Verified> verified = assertion == null || ExchangeHandler.hasBody(request)
                ? Optional.empty()
                : authenticator.flatMap(known -> known.accept(
                        assertion, request.getMethod(), request.getHttpURI().getPathQuery()));
        if (verified.isEmpty()) {
            return refuse(request, response, callback);
        }
        request.setAttribute(VERIFIED, verified.get());
        BufferedResponse buffered = Response.as(response, BufferedResponse.class);
        buffered.beforeWrite(body -> buffered.getHeaders()
                .put(
                        PeerAuthenticator.RESPONSE,
                        authenticator
                                .get()
                                .signResponse(
                                        verified.get(),
                                        buffered.getStatus(),
                                        name -> Optional.ofNullable(
                                                buffered.getHeaders().get(name)),
                                        body)));
        return super.handle(request, response, callback);
    }

    private boolean refuse(Request request, Response response, Callback callback) {
        String address = RemoteNetwork.of(Request.getRemoteAddr(request) == null ? "" : Request.getRemoteAddr(request));
        long seconds = rate.take(address);
        if (seconds > 0) {
            return answer(request, response, callback, Gate.rateLimited(seconds));
        }
        refusals.log(repeated -> LOG.warn(
                "Refused a request from {} that claims to come from a peer: {}.{}",
                Request.getRemoteAddr(request),
                authenticator.isPresent()
                        ? "its proof does not match (http.peers.secret, http.advertised and the clocks of all instances)"
                        : "http.peers.secret is not set",
                repeated == 0 ? "" : " " + repeated + " more were refused since the last such line."));
        return answer(
                request,
                response,
                callback,
                Problem.of(
                        Problem.Code.PEER_REFUSED,
                        "The request does not prove that an instance of this deployment sends it ("
                                + (authenticator.isPresent()
                                        ? "http.peers.secret"
                                        : "http.peers.secret is not set here")
                                + ").",
                        Map.of("Connection", "close")));
    }

    private boolean answer(Request request, Response response, Callback callback, Problem problem) {
        metrics.count(problem.code());
        write(request, response, callback, problem);
        return true;
    }

    /** Writes a problem outside of any route. */
    static void write(Request request, Response response, Callback callback, Problem problem) {
        response.setStatus(problem.code().status());
        problem.headers().forEach((name, value) -> response.getHeaders().put(name, value));
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.write(
                true,
                ByteBuffer.wrap(Json.bytes(Problems.body(
                        problem, PeerTarget.encode(request.getHttpURI().getPath())))),
                callback);
    }
}
