package dev.parley.server.http;

import dev.parley.server.auth.Caller;
import dev.parley.server.cluster.PeerRequest;
import dev.parley.server.cluster.PeerResponse;
import dev.parley.server.cluster.Peers;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.metrics.Metrics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Measures the response times of peers.
 *
 * @param peers the peers that are asked
 * @param requests timer of requests to peers, by status
 */
public record TimedPeers(Peers peers, Meter.MeterProvider<Timer> requests) implements Peers {
    private static final String NONE = "NONE";

    /** Registers the timer. */
    public TimedPeers(Peers peers, Metrics metrics) {
        this(
                peers,
                Timer.builder("parley.peers")
                        .description("Requests to peers by equivalent HTTP status; NONE if there was no response")
                        .withRegistry(metrics.registry()));
    }

    @Override
    public CompletableFuture<PeerResponse> ask(HostInfo peer, PeerRequest request, Caller caller, Class<?> result) {
        Timer.Sample sample = Timer.start();
        return peers.ask(peer, request, caller, result)
                .whenComplete((response, failure) ->
                        sample.stop(requests.withTag("status", response == null ? NONE : status(response))));
    }

    /** HTTP status equivalent to a response. */
    private static String status(PeerResponse response) {
        if (response instanceof PeerResponse.Failure failure) {
            return switch (failure.error()) {
                case VIEWS_UNAVAILABLE, POSITION_NOT_VISIBLE -> "503";
                case FORBIDDEN -> "403";
                case MALFORMED_REQUEST, UNKNOWN_OPERATION -> "400";
            };
        }
        if (response instanceof PeerResponse.Success success) {
            ViewAnswer answer = success.response().answer();
            if (answer instanceof ViewAnswer.Refusal refusal) {
                return Integer.toString(
                        ProblemException.named(refusal.code(), "").code().status());
            }
            return answer instanceof ViewAnswer.Absent ? "404" : "200";
        }
        return NONE;
    }
}
