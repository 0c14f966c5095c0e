package dev.parley.server.http;

import dev.parley.server.auth.Caller;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.PeerResponse;
import dev.parley.server.cluster.Peers;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.metrics.Metrics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Measures the response times of peers.
 *
 * @param peers the peers that are asked
 * @param requests timer of requests to peers, by code
 */
public record TimedPeers(Peers peers, Meter.MeterProvider<Timer> requests) implements Peers {

    /** Registers the timer. */
    public TimedPeers(Peers peers, Metrics metrics) {
        this(
                peers,
                Timer.builder("parley.peers")
                        .description("Requests to peers by the code of their problem; NONE if they were answered")
                        .withRegistry(metrics.registry()));
    }

    @Override
    public CompletableFuture<PeerResponse> ask(HostInfo peer, PeerRequest request, Caller caller, Class<?> result) {
        Timer.Sample sample = Timer.start();
        return peers.ask(peer, request, caller, result)
                .whenComplete((response, failure) -> sample.stop(requests.withTag("code", code(response))));
    }

    @Override
    public Optional<String> problem(HostInfo peer) {
        return peers.problem(peer);
    }

    /** @param response null if there was none */
    private static String code(PeerResponse response) {
        if (response instanceof PeerResponse.Success success) {
            return success.response().answer() instanceof ViewAnswer.Refusal refusal
                    ? ProblemException.named(refusal.code(), "").code().name()
                    : "NONE";
        }
        return response instanceof PeerResponse.Failure failure
                ? failure.error().name()
                : "NO_RESPONSE";
    }
}
