package dev.parley.query.cluster;

import dev.parley.access.Caller;
import dev.parley.audit.InputPosition;
import dev.parley.query.cluster.PartitionMetadata.Owner;
import dev.parley.query.cluster.RoutingScope.SinglePartition;
import dev.parley.query.read.PositionNotVisibleException;
import dev.parley.query.read.PositionVisibility;
import dev.parley.query.read.Views;
import dev.parley.query.read.ViewsUnavailableException;
import dev.parley.topology.setup.ChainPartitioner;
import dev.parley.topology.views.ViewStores;
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
 * Has a query answered by the instances that own its partitions: this one, a peer, or all of them. What peers ask is
 * answered from local views, at once, and is not passed on; so no request runs in circles, and peers do not wait for
 * each other.
 */
public final class Routing {

    private final DistributedViews views;
    private final PeerClient peers;
    private final ScatterGather gather;

    public Routing(DistributedViews views) {
        this.views = views;
        this.peers = new PeerClient(views);
        this.gather = new ScatterGather(views, peers);
    }

    /**
     * Attempts at a query, one for each call. An attempt throws {@link ViewsUnavailableException} or
     * {@link PositionNotVisibleException} if a later one may succeed. Not thread-safe.
     *
     * @param query what to answer
     * @param consistency how fresh the answer must be
     */
    public Supplier<ViewResponse> attempts(ViewQuery query, ReadConsistency consistency) {
        if (query.scope() instanceof SinglePartition partition) {
            Set<InputPosition> required = new LinkedHashSet<>(consistency.atLeast());
            return () -> {
                query.begin();
                return attempt(query, partition.chain(), consistency.stale(), required);
            };
        }
        return () -> {
            query.begin();
            return gather.attempt(query, consistency);
        };
    }

    /** The backoff for the attempts at one query. */
    public RetryBackoff backoff() {
        return new RetryBackoff(views.retryTimeout());
    }

    /** Answers a query from owners, and blocks while it retries. */
    public ViewResponse await(ViewQuery query) {
        Supplier<ViewResponse> attempts = attempts(query, ReadConsistency.OWNER);
        RetryBackoff backoff = backoff();
        while (true) {
            try {
                return attempts.get();
            } catch (ViewsUnavailableException | PositionNotVisibleException later) {
                if (!backoff.pause()) {
                    throw later;
                }
            }
        }
    }

    /** Whether an attempt may wait for peers. */
    public boolean asksPeers(RoutingScope scope, ReadConsistency consistency) {
        PartitionMetadata partitionMetadata = views.cluster();
        Set<HostInfo> self = Set.of(partitionMetadata.self());
        try {
            if (scope instanceof SinglePartition partition
                    && !consistency.stale()
                    && consistency.atLeast().isEmpty()) {
                Optional<HostInfo> active =
                        partitionMetadata.ownerOf(partition.chain()).active();
                return active.isPresent() && !self.contains(active.get());
            }
            return !self.containsAll(partitionMetadata.owners(scope.store()))
                    || consistency.stale()
                            && !self.containsAll(
                                    partitionMetadata.standbys(scope.store()).keySet());
        } catch (ViewsUnavailableException e) {
            return true;
        }
    }

    /**
     * Answers for a peer, from local views.
     *
     * @throws ViewsUnavailableException if they cannot be read now
     * @throws PositionNotVisibleException if an input position is not visible here
     */
    ViewResponse local(ViewQuery query, SortedSet<Integer> standbys, Set<InputPosition> atLeast) {
        return query.scope() instanceof SinglePartition
                ? read(query, standbys, atLeast)
                : gather.read(query, standbys, atLeast);
    }

    private ViewResponse attempt(ViewQuery query, String chain, boolean stale, Set<InputPosition> required) {
        while (true) {
            try {
                return once(query, chain, stale, required);
            } catch (PositionNotVisibleException late) {
                if (!required.removeAll(elsewhere(query.caller(), chain, late.missing()))) {
                    throw late;
                }
            }
        }
    }

    private ViewResponse once(ViewQuery query, String chain, boolean stale, Set<InputPosition> required) {
        Owner owner = views.cluster().ownerOf(chain);
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
                        "No instance owns partition " + owner.partition() + " of the views now.", null));
        return active.equals(views.cluster().self())
                ? read(query, new TreeSet<>(), required)
                : peers.ask(active, query.request().with(new TreeSet<>(), required), query.caller());
    }

    /** From the standby here, otherwise from another one. */
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
            if (!standby.equals(views.cluster().self())) {
                try {
                    return peers.ask(standby, query.request().with(partition, required), query.caller());
                } catch (ViewsUnavailableException notThere) {
                    unavailable.addSuppressed(notThere);
                }
            }
        }
        throw unavailable;
    }

    /** From local views: from standbys of these partitions, or, without any, from what this instance owns. */
    private ViewResponse read(ViewQuery query, SortedSet<Integer> standbys, Set<InputPosition> required) {
        SortedMap<Integer, Long> lags = new TreeMap<>();
        for (int partition : standbys) {
            lags.put(
                    partition,
                    lag(partition)
                            .orElseThrow(() -> new ViewsUnavailableException(
                                    "There is no standby of partition " + partition + " here.", null)));
        }
        Views local =
                standbys.isEmpty() ? views.local().active() : views.local().withStandbys();
        Set<InputPosition> missing = new LinkedHashSet<>(required);
        missing.removeAll(PositionVisibility.in(ViewStores.AUDIT, local, required));
        if (!missing.isEmpty()) {
            throw new PositionNotVisibleException(missing);
        }
        return new ViewResponse(query.read(local, lags), standbys, lags, required);
    }

    /** Changes that the standbys here of a partition of the chains lack; empty if there are none. */
    private Optional<Long> lag(int partition) {
        Long audit = views.local().lags(ViewStores.AUDIT).get(partition);
        Long checkpoints = views.local().lags(ViewStores.CHECKPOINTS).get(partition);
        return audit == null || checkpoints == null ? Optional.empty() : Optional.of(audit + checkpoints);
    }

    /** Those positions that are visible, but in partitions other than that of the chain. */
    private Set<InputPosition> elsewhere(Caller caller, String chain, Set<InputPosition> missing) {
        int partitions = views.cluster().partitions(ViewStores.AUDIT);
        int own = ChainPartitioner.partition(chain, partitions);
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
