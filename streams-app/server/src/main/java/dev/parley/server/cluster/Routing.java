package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import dev.parley.logging.LogThrottle;
import dev.parley.server.auth.Caller;
import dev.parley.server.cluster.PartitionMetadata.Owner;
import dev.parley.server.cluster.RoutingScope.SinglePartition;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Answers queries from the views of all instances. A query about one chain is read here if this instance owns its
 * partition, otherwise it is sent to the owner; {@link ScatterGather} answers queries about all partitions.
 */
public final class Routing {

    private final DistributedViews views;
    private final LocalReader here;
    private final PeerClient peers;
    private final ScatterGather gather;

    public Routing(DistributedViews views) {
        this.views = views;
        this.peers = new PeerClient(views, new LogThrottle());
        this.here = new LocalReader(views.local());
        this.gather = new ScatterGather(views, here, peers);
    }

    /** Returns the attempts at a query: each call plans one, for the present owners. Not thread-safe. */
    public Supplier<Attempt> attempts(ViewQuery query, ReadConsistency consistency) {
        Set<InputPosition> required = new LinkedHashSet<>(consistency.atLeast());
        return () -> {
            query.budget().restart();
            try {
                return query.scope() instanceof SinglePartition partition
                        ? plan(query, partition, consistency.stale(), required)
                        : gather.plan(query, consistency);
            } catch (RuntimeException failure) {
                // The owners are unknown now. The attempt fails like one that cannot reach them.
                return new Attempt(true, () -> {
                    throw failure;
                });
            }
        };
    }

    /** Maximum time of the attempts at one query. */
    public Duration retryTimeout() {
        return views.retryTimeout();
    }

    /** Starts the backoff for the attempts at one query. */
    public RetryBackoff backoff() {
        return new RetryBackoff(views.retryTimeout());
    }

    private Attempt plan(ViewQuery query, SinglePartition partition, boolean stale, Set<InputPosition> required) {
        Owner owner = views.metadata().ownerOf(partition.store(), partition.key());
        // A standby, or a position in another partition, may be on any instance.
        boolean remote = stale || !required.isEmpty()
                ? !views.owningPeers(partition.store()).isEmpty()
                        || stale && !views.standbyPeers(partition.store()).isEmpty()
                : owner.active().filter(active -> !views.isSelf(active)).isPresent();
        return new Attempt(remote, () -> answer(query, partition, owner, stale, required));
    }

    private ViewResponse answer(
            ViewQuery query, SinglePartition partition, Owner owner, boolean stale, Set<InputPosition> required) {
        while (true) {
            try {
                return read(query, owner, stale, required);
            } catch (PositionNotVisibleException notVisible) {
                if (!required.removeAll(visibleElsewhere(query.caller(), partition, notVisible.missing()))) {
                    throw notVisible;
                }
            }
        }
    }

    private ViewResponse read(ViewQuery query, Owner owner, boolean stale, Set<InputPosition> required) {
        try {
            return fromOwner(query, owner, required);
        } catch (ViewsUnavailableException unavailable) {
            if (!stale) {
                throw unavailable;
            }
            return fromStandby(query, owner, required, unavailable);
        }
    }

    private ViewResponse fromOwner(ViewQuery query, Owner owner, Set<InputPosition> required) {
        HostInfo active = owner.active()
                .orElseThrow(() -> new ViewsUnavailableException(
                        "No instance owns partition " + owner.partition() + " of the views now."));
        return views.isSelf(active)
                ? here.read(query, new TreeSet<>(), required)
                : peers.ask(active, query, new TreeSet<>(), required);
    }

    /** Reads the standby on this instance, otherwise one on another instance. */
    private ViewResponse fromStandby(
            ViewQuery query, Owner owner, Set<InputPosition> required, ViewsUnavailableException unavailable) {
        SortedSet<Integer> partition = new TreeSet<>(Set.of(owner.partition()));
        if (here.lag(owner.partition()).isPresent()) {
            try {
                return here.read(query, partition, required);
            } catch (ViewsUnavailableException notHere) {
                unavailable.addSuppressed(notHere);
            }
        }
        for (HostInfo standby : owner.standbys()) {
            if (!views.isSelf(standby)) {
                try {
                    return peers.ask(standby, query, partition, required);
                } catch (ViewsUnavailableException notThere) {
                    unavailable.addSuppressed(notThere);
                }
            }
        }
        throw unavailable;
    }

    /** Returns those positions that are visible in partitions other than the one of the query. */
    private Set<InputPosition> visibleElsewhere(Caller caller, SinglePartition partition, Set<InputPosition> missing) {
        int partitions = views.metadata().partitions(ViewStores.AUDIT);
        int own = ChainPartitioner.partition(partition.key(), partitions);
        Set<InputPosition> elsewhere = new LinkedHashSet<>();
        for (InputPosition position : missing) {
            Optional<String> found = peers.chainOf(position, caller);
            if (found.filter(other -> ChainPartitioner.partition(other, partitions) != own)
                    .isPresent()) {
                elsewhere.add(position);
            }
        }
        return elsewhere;
    }
}
