package dev.parley.query.cluster;

import dev.parley.access.Caller;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.state.HostInfo;

/** The other instances of the deployment. An instance answers a peer from its own views and asks no one else. */
public interface Peers {

    /**
     * Sends a request to a peer.
     *
     * @param caller name and role of the caller, for whom the peer answers
     * @return fails within a time of the implementation's if no authentic response comes
     */
    CompletableFuture<PeerResponse> ask(HostInfo peer, PeerRequest request, Caller caller);

    /** No other instance. */
    static Peers none() {
        return (peer, request, caller) -> CompletableFuture.failedFuture(
                new IllegalStateException("this instance is alone and must not ask " + peer));
    }
}
