package dev.parley.server.cluster;

import dev.parley.server.auth.Caller;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.state.HostInfo;

/** The other instances of the deployment. A peer answers from its own views and asks no other instance. */
public interface Peers {

    /**
     * Sends a request to a peer.
     *
     * @param caller name and role of the caller on whose behalf the request is sent
     * @param result class of the results in the response
     * @return the response; fails after a timeout, or if the response is not authentic
     */
    CompletableFuture<PeerResponse> ask(HostInfo peer, PeerRequest request, Caller caller, Class<?> result);

    /** Why requests to a peer fail, as known by now, without waiting for it; empty if no reason is known. */
    default Optional<String> problem(HostInfo peer) {
        return Optional.empty();
    }
}
