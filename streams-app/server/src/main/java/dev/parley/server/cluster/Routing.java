package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import dev.parley.server.auth.Caller;
import dev.parley.server.cluster.PartitionMetadata.Owner;
import dev.parley.server.cluster.RoutingScope.SinglePartition;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.read.PositionVisibility;
import dev.parley.topology.views.read.Views;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Answers queries from the views of all instances. A query about one chain is read here if this instance owns its
 * partition, otherwise it is sent to the owner; {@link ScatterGather} answers queries about all partitions. Requests of
 * peers are answered once, from local views, and never forwarded, so that requests cannot circulate.
 */
public final class Routing {

    private final DistributedViews views;
    private final PeerClient peers;
    private final ScatterGather gather;

    public Routing(DistributedViews views) {
        this.views = views;
        this.peers = new PeerClient(views, new LogThrottle());
        this.gather = new ScatterGather(views, peers);
    }

    /**
     * Returns the attempts at a query: each call makes one. An attempt throws {@link ViewsUnavailableException} or
     * {@link PositionNotVisibleException} if a later one may succeed. Not thread-safe.
     */
    public Supplier<ViewResponse> attempts(ViewQuery query, ReadConsistency consistency) {
        if (query.scope() instanceof SinglePartition partition) {
            Set<InputPosition> required = new LinkedHashSet<>(consistency.atLeast());
            return () -> {
                query.budget().restart();
                return attempt(query, partition, consistency.stale(), required);
            };
        }
        return () -> {
            query.budget().restart();
            return gather.attempt(query, consistency);
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

    /** Whether an attempt may send requests to peers, and so block. */
    public boolean needsPeers(RoutingScope scope, ReadConsistency consistency) {
        PartitionMetadata metadata = views.metadata();
        Set<HostInfo> self = Set.of(metadata.self());
        try {
            if (scope instanceof SinglePartition partition
                    && !consistency.stale()
                    && consistency.atLeast().isEmpty()) {
                Optional<HostInfo> active =
                        metadata.ownerOf(partition.store(), partition.key()).active();
                return active.isPresent() && !self.contains(active.get());
            }
            return !self.containsAll(metadata.owners(scope.store()))
                    || consistency.stale()
                            && !self.containsAll(
                                    metadata.standbys(scope.store()).keySet());
        } catch (ViewsUnavailableException e) {
            return true;
        }
    }

    /**
     * Answers a peer from local views.
     *
     * @param standbys partitions to read from standbys; empty to read the partitions that this instance owns
     * @throws ViewsUnavailableException if the views cannot be read now
     * @throws PositionNotVisibleException if an input position is not visible here
     */
    ViewResponse readLocal(ViewQuery query, SortedSet<Integer> standbys, Set<InputPosition> atLeast) {
        return query.scope() instanceof SinglePartition
                ? read(query, standbys, atLeast)
                : gather.read(query, standbys, atLeast);
    }

    private ViewResponse attempt(
            ViewQuery query, SinglePartition partition, boolean stale, Set<InputPosition> required) {
        while (true) {
            try {
                return readOnce(query, partition, stale, required);
            } catch (PositionNotVisibleException notVisible) {
                if (!required.removeAll(visibleElsewhere(query.caller(), partition, notVisible.missing()))) {
                    throw notVisible;
                }
            }
        }
    }

    private ViewResponse readOnce(
            ViewQuery query, SinglePartition partition, boolean stale, Set<InputPosition> required) {
        Owner owner = views.metadata().ownerOf(partition.store(), partition.key());
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
        return active.equals(views.metadata().self())
                ? read(query, new TreeSet<>(), required)
                : peers.ask(active, query.request().with(new TreeSet<>(), required), query.caller(), query.result());
    }

    /** Reads the standby on this instance, otherwise one on another instance. */
    private ViewResponse fromStandby(
            ViewQuery query, Owner owner, Set<InputPosition> required, ViewsUnavailableException unavailable) {
        SortedSet<Integer> partition = new TreeSet<>(Set.of(owner.partition()));
        if (lag(owner.partition()).isPresent()) {
            try {
                return read(query, partition, required);
            } catch (ViewsUnavailableException notHere) {
                unavailable.addSuppressed(notHere);
            }
        }
        for (HostInfo standby : owner.standbys()) {
            if (!standby.equals(views.metadata().self())) {
                try {
                    return peers.ask(
                            standby, query.request().with(partition, required), query.caller(), query.result());
                } catch (ViewsUnavailableException notThere) {
                    unavailable.addSuppressed(notThere);
                }
            }
        }
        throw unavailable;
    }

    /** Reads local views: these standbys, or, if there are none, the partitions that this instance owns. */
    private ViewResponse read(ViewQuery query, SortedSet<Integer> standbys, Set<InputPosition> required) {
        SortedMap<Integer, Long> lags = new TreeMap<>();
        for (int partition : standbys) {
            lags.put(
                    partition,
                    lag(partition)
                            .orElseThrow(() -> new ViewsUnavailableException(
                                    "This instance has no standby of partition " + partition + ".")));
        }
        Views local =
                standbys.isEmpty() ? views.local().active() : views.local().withStandbys();
        Set<InputPosition> missing = new LinkedHashSet<>(required);
        missing.removeAll(PositionVisibility.visible(ViewStores.AUDIT, local, required));
        if (!missing.isEmpty()) {
            throw new PositionNotVisibleException(missing);
        }
        return new ViewResponse(query.reader().apply(local), standbys, lags, required);
    }

    /** Lag of the local standbys of a partition, audit and checkpoints together; empty without such standbys. */
    private Optional<Long> lag(int partition) {
        Long audit = views.local().lags(ViewStores.AUDIT).get(partition);
        Long checkpoints = views.local().lags(ViewStores.CHECKPOINTS).get(partition);
        return audit == null || checkpoints == null ? Optional.empty() : Optional.of(audit + checkpoints);
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
