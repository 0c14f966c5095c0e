package dev.parley.server.cluster;

import dev.parley.server.auth.Caller;
import dev.parley.server.cluster.PeerAuthenticator.Challenge;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Peers over HTTP, or over HTTPS if this instance serves HTTPS: all instances of a deployment do, or none. Any member
 * of the views' consumer group can claim to own partitions. Therefore a peer must prove by {@link PeerKeys} that it is
 * an instance of this deployment before it is sent a request, and its responses are authenticated by the same key.
 */
public final class HttpPeers implements Peers {

    /** Time for which a proof is valid; then the peer is challenged again. */
    private static final Duration PROOF_LIFETIME = Duration.ofSeconds(30);

    private static final int OK = 200;

    private final HttpClient client;
    private final String scheme;
    private final Optional<PeerKeys> keys;
    private final Duration timeout;
    private final Clock clock;
    private final long maxResponseBytes;
    private final Map<HostInfo, Proof> proofs = new ConcurrentHashMap<>();

    /** The key by which a peer has proved itself, and the end of the validity in {@link System#nanoTime}. */
    private record Proof(int key, long until) {}

    /**
     * @param tls trusted certificates; empty for plain HTTP
     * @param keys keys shared with the other instances; if empty, every request fails
     * @param timeout maximum time for one response, including its body
     * @param responseBytes limit of this instance's responses ({@code http.limits.response.bytes}); responses of peers
     *     may be twice as large
     * @param clock for the lifetimes of assertions
     */
    public HttpPeers(
            Optional<SSLContext> tls, Optional<PeerKeys> keys, Duration timeout, long responseBytes, Clock clock) {
        this.maxResponseBytes = 2 * responseBytes;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER);
        tls.ifPresent(builder::sslContext);
        this.client = builder.build();
        this.scheme = tls.isPresent() ? "https" : "http";
        this.keys = keys;
        this.timeout = timeout;
        this.clock = clock;
    }

    /** Thrown if a peer cannot be authenticated as an instance of this deployment, or its response is not authentic. */
    static final class UnauthenticatedPeerException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnauthenticatedPeerException(String message) {
            super(message, null, false, false);
        }
    }

    @Override
    public CompletableFuture<PeerResponse> ask(HostInfo peer, PeerRequest request, Caller caller, Class<?> result) {
        if (keys.isEmpty()) {
            return CompletableFuture.failedFuture(new UnauthenticatedPeerException(
                    "Cannot query other instances without a secret. Set the same http.peers.secret on all instances."));
        }
        return authenticate(keys.get(), peer)
                .thenCompose(key -> send(keys.get(), key, peer, PeerJson.bytes(request), caller)
                        .thenApply(response -> read(peer, response, result)))
                .whenComplete((response, failure) -> {
                    if (failure != null) {
                        proofs.remove(peer);
                    }
                });
    }

    private CompletableFuture<Integer> authenticate(PeerKeys known, HostInfo peer) {
        Proof proof = proofs.get(peer);
        if (proof != null && System.nanoTime() - proof.until() < 0) {
            return CompletableFuture.completedFuture(proof.key());
        }
        Challenge challenge = PeerAuthenticator.challenge(known, peer);
        HttpRequest request =
                request(peer).header(PeerHeaders.PROOF, challenge.value()).build();
        return send(request).thenApply(response -> {
            Optional<Integer> key = response.headers()
                    .firstValue(PeerHeaders.PROOF)
                    .filter(value -> response.statusCode() == OK)
                    .flatMap(value -> PeerAuthenticator.verifyProof(known, peer, challenge, value));
            if (key.isEmpty()) {
                throw new UnauthenticatedPeerException("The peer at " + PeerAuthenticator.name(peer)
                        + " did not authenticate. Set the same http.peers.secret on all instances, and http.advertised"
                        + " to the address at which the others reach each instance.");
            }
            proofs.put(peer, new Proof(key.get(), System.nanoTime() + PROOF_LIFETIME.toNanos()));
            return key.get();
        });
    }

    private CompletableFuture<HttpResponse<byte[]>> send(
            PeerKeys known, int key, HostInfo peer, byte[] body, Caller caller) {
        long now = clock.millis();
        PeerAssertion assertion = new PeerAssertion(
                caller,
                now,
                now + PeerAuthenticator.LIFETIME.toMillis(),
                PeerAssertion.newNonce(PeerAssertion.NONCE_BYTES),
                PeerAuthenticator.name(peer),
                "POST",
                PeerHeaders.PATH,
                PeerAssertion.hash(body));
        HttpRequest request = request(peer)
                .header(PeerHeaders.ASSERTION, assertion.sign(known, key))
                .header("Content-Type", PeerHeaders.CONTENT_TYPE)
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        return send(request).thenApply(response -> verify(known, key, peer, assertion, response));
    }

    /** Applies the timeout to the whole response; {@link HttpClient} applies it only until the headers. */
    private CompletableFuture<HttpResponse<byte[]>> send(HttpRequest request) {
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, LimitedBody.of(maxResponseBytes));
        return sent.copy().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).whenComplete((response, failure) -> {
            if (failure != null) {
                sent.cancel(true);
            }
        });
    }

    private HttpRequest.Builder request(HostInfo peer) {
        String host = peer.host().indexOf(':') < 0 ? peer.host() : '[' + peer.host() + ']';
        return HttpRequest.newBuilder(URI.create(scheme + "://" + host + ':' + peer.port() + PeerHeaders.PATH))
                .timeout(timeout);
    }

    private static HttpResponse<byte[]> verify(
            PeerKeys keys, int key, HostInfo peer, PeerAssertion assertion, HttpResponse<byte[]> response) {
        String name = PeerAuthenticator.name(peer);
        boolean authentic = response.headers()
                .firstValue(PeerHeaders.RESPONSE)
                .filter(mac -> PeerAuthenticator.verifyResponse(
                        keys, key, mac, assertion.nonce(), response.statusCode(), response.body()))
                .isPresent();
        if (!authentic) {
            throw new UnauthenticatedPeerException("The response of the peer at " + name + " (status "
                    + response.statusCode() + ") is not authentic. Set the same http.peers.secret on all instances and"
                    + " synchronize their clocks. If both are correct, responses are being modified in transit.");
        }
        return response;
    }

    private static PeerResponse read(HostInfo peer, HttpResponse<byte[]> response, Class<?> result) {
        try {
            return PeerJson.response(response.body(), result);
        } catch (PeerProtocolException e) {
            throw new CompletionException(new PeerProtocolException("Cannot read the response of the peer at "
                    + PeerAuthenticator.name(peer) + " (status " + response.statusCode() + "). " + e.getMessage()));
        }
    }
}
