package dev.parley.server.api;

import dev.parley.server.cluster.DistributedViews;
import dev.parley.server.cluster.Peers;
import dev.parley.server.health.Accounts;
import dev.parley.server.health.ProgressMeters;
import dev.parley.server.metrics.Metrics;
import dev.parley.server.metrics.ViewMeters;
import dev.parley.topology.views.Views;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.state.HostInfo;

/** An instance without peers that owns all views, in one partition. */
public final class Standalone {

    private Standalone() {}

    /** Views of a deployment of one instance, without retries. */
    public static DistributedViews distributed(Views views) {
        return distributed(views, Duration.ZERO);
    }

    static DistributedViews distributed(Views views, Duration retryTimeout) {
        HostInfo self = new HostInfo("localhost", 0);
        return new DistributedViews(views, Clusters.at(() -> self), noPeers(), retryTimeout);
    }

    /** Fails every request to a peer. */
    static Peers noPeers() {
        return (peer, request, caller, result) ->
                CompletableFuture.failedFuture(new IllegalStateException("there is no peer " + peer));
    }

    /** Adds the meters of views and of their accounting, without progress. */
    static ViewMeters meters(Metrics metrics, Views views) {
        ViewMeters meters = new ViewMeters(metrics);
        meters.watch(views);
        ProgressMeters.addAccounting(metrics, new Accounts(views::accounting), Optional::empty);
        return meters;
    }
}
