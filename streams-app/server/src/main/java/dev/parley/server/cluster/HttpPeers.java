package dev.parley.server.cluster;

import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
import dev.parley.server.client.LimitedBody;
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

    private static final String NO_SECRET =
            "Cannot query other instances without a secret. Set the same http.peers.secret on all instances.";

    /** Time for which a proof is valid; then the peer must prove itself again. */
    private static final Duration PROOF_LIFETIME = Duration.ofSeconds(30);

    /** Time after which the problem of a peer is looked for again. */
    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);

    /** Strangers may advertise any number of addresses, one after the other. */
    private static final int MAX_PROBES = 1_000;

    /** The caller of a request without content. */
    private static final Caller NO_CALLER = new Caller("", Role.NONE);

    private final HttpClient client;
    private final String scheme;
    private final Optional<PeerKeys> keys;
    private final Duration timeout;
    private final Clock clock;
    private final long maxResponseBytes;
    /** Results of {@link #problem}. */
    private final Map<HostInfo, Probe> probes = new ConcurrentHashMap<>();
    /** Peers that have proved themselves, and the end of the validity in {@link System#nanoTime}. */
    private final Map<HostInfo, Long> proofs = new ConcurrentHashMap<>();

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

    @Override
    public CompletableFuture<PeerResponse> ask(HostInfo peer, PeerRequest request, Caller caller, Class<?> result) {
        if (keys.isEmpty()) {
            return CompletableFuture.failedFuture(new PeerProtocolException(NO_SECRET));
        }
        byte[] body = PeerJson.bytes(request.within(caller.namespaces()));
        return prove(keys.get(), peer)
                .thenCompose(proven -> exchange(keys.get(), peer, "POST", body, caller))
                .whenComplete((response, failure) -> {
                    if (failure != null) {
                        proofs.remove(peer);
                    }
                })
                // An authentic response that cannot be read is a proof all the same.
                .thenApply(response -> read(peer, response, result));
    }

    /** What a proof of a peer resulted in, or the last one before it; the time is of {@link System#nanoTime}. */
    private record Probe(long time, Optional<String> problem) {}

    @Override
    public Optional<String> problem(HostInfo peer) {
        if (keys.isEmpty()) {
            return Optional.of(NO_SECRET);
        }
        Probe last = probes.get(peer);
        if (last != null && System.nanoTime() - last.time() < PROBE_INTERVAL.toNanos()) {
            return last.problem();
        }
        if (probes.size() > MAX_PROBES) {
            probes.clear();
        }
        Optional<String> known = last == null ? Optional.empty() : last.problem();
        probes.put(peer, new Probe(System.nanoTime(), known));
        prove(keys.get(), peer)
                .whenComplete((proof, failure) -> probes.put(
                        peer,
                        new Probe(
                                System.nanoTime(), Optional.ofNullable(failure).map(HttpPeers::reason))));
        return known;
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof PeerProtocolException
                ? cause.getMessage()
                : "It is unavailable (" + cause.getClass().getSimpleName() + ").";
    }

    /** Asks a peer for an authentic response to a request without content, unless it has given one recently. */
    private CompletableFuture<?> prove(PeerKeys known, HostInfo peer) {
        Long until = proofs.get(peer);
        return until != null && System.nanoTime() - until < 0
                ? CompletableFuture.completedFuture(null)
                : exchange(known, peer, "GET", new byte[0], NO_CALLER)
                        .thenAccept(proof -> proofs.put(peer, System.nanoTime() + PROOF_LIFETIME.toNanos()));
    }

    private CompletableFuture<HttpResponse<byte[]>> exchange(
            PeerKeys known, HostInfo peer, String method, byte[] body, Caller caller) {
        PeerAssertion assertion = PeerAssertion.of(caller, clock.millis(), body);
        PeerAssertion.Target target = new PeerAssertion.Target(PeerAuthenticator.name(peer), method, PeerHeaders.PATH);
        String host = peer.host().indexOf(':') < 0 ? peer.host() : '[' + peer.host() + ']';
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(scheme + "://" + host + ':' + peer.port() + PeerHeaders.PATH))
                .timeout(timeout)
                .header("Content-Type", PeerHeaders.CONTENT_TYPE)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        for (int key = 0; key < known.size(); key++) {
            request.header(PeerHeaders.ASSERTION, assertion.sign(known, key, target));
        }
        return send(request.build()).thenApply(response -> verify(known, peer, assertion, response));
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

    private static HttpResponse<byte[]> verify(
            PeerKeys known, HostInfo peer, PeerAssertion assertion, HttpResponse<byte[]> response) {
        boolean authentic = response.headers()
                .firstValue(PeerHeaders.RESPONSE)
                .filter(mac -> PeerAuthenticator.verifyResponse(
                        known, mac, assertion.nonce(), response.statusCode(), response.body()))
                .isPresent();
        if (!authentic) {
            throw new CompletionException(new PeerProtocolException("The peer at " + PeerAuthenticator.name(peer)
                    + " did not authenticate (status " + response.statusCode() + "). Set the same http.peers.secret on"
                    + " all instances, and http.advertised to the address at which the others reach each instance, and"
                    + " synchronize their clocks. If all are correct, responses are being modified in transit."));
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
