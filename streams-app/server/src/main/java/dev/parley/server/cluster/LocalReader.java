package dev.parley.server.cluster;

import dev.parley.audit.InputPosition;
import dev.parley.server.cluster.RoutingScope.SinglePartition;
import dev.parley.topology.views.PositionVisibility;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Answers queries, of callers and of peers, from the views of this instance, within the namespaces of the caller.
 * Thread-safe.
 */
final class LocalReader {

    private final Views views;

    LocalReader(Views views) {
        this.views = views;
    }

    /**
     * Answers a query.
     *
     * @param standbys partitions to read from standbys, and no others; empty to read those that this instance owns
     * @param atLeast input positions that must be visible; the response to a query about all partitions says which are
     * @throws ViewsUnavailableException if the partitions cannot be read now
     * @throws PositionNotVisibleException if an input position is not visible in the partition of the query
     */
    ViewResponse read(ViewQuery query, SortedSet<Integer> standbys, Set<InputPosition> atLeast) {
        Views scoped = views.within(query.caller().scope());
        return query.scope() instanceof SinglePartition
                ? readOne(scoped, query, standbys, atLeast)
                : readAll(scoped, query, standbys, atLeast);
    }

    private ViewResponse readOne(
            Views scoped, ViewQuery query, SortedSet<Integer> standbys, Set<InputPosition> required) {
        SortedMap<Integer, Long> lags = new TreeMap<>();
        for (int partition : standbys) {
            lags.put(
                    partition,
                    lag(partition)
                            .orElseThrow(() -> new ViewsUnavailableException(
                                    "This instance has no standby of partition " + partition + ".")));
        }
        Views local = standbys.isEmpty() ? scoped : scoped.withStandbys();
        Set<InputPosition> missing = new LinkedHashSet<>(required);
        missing.removeAll(PositionVisibility.visible(ViewStores.AUDIT, local, required));
        if (!missing.isEmpty()) {
            throw new PositionNotVisibleException(missing);
        }
        return new ViewResponse(query.reader().apply(local), standbys, lags, required);
    }

    /** Lag of the local standbys of a partition, audit and checkpoints together; empty without such standbys. */
    Optional<Long> lag(int partition) {
        Long audit = views.lags(ViewStores.AUDIT).get(partition);
        Long checkpoints = views.lags(ViewStores.CHECKPOINTS).get(partition);
        return audit == null || checkpoints == null ? Optional.empty() : Optional.of(audit + checkpoints);
    }

    private ViewResponse readAll(
            Views scoped, ViewQuery query, SortedSet<Integer> standbys, Set<InputPosition> atLeast) {
        String store = query.scope().store();
        SortedSet<Integer> partitions = new TreeSet<>(standbys);
        SortedMap<Integer, Long> lags = new TreeMap<>();
        if (standbys.isEmpty()) {
            partitions = views.readable(store);
        } else {
            lags.putAll(views.lags(store));
            lags.keySet().retainAll(standbys);
            partitions.retainAll(lags.keySet());
        }
        if (partitions.isEmpty()) {
            throw new ViewsUnavailableException(
                    "This instance cannot read any partition of the store " + store + " now.");
        }
        Views local = scoped.of(store, partitions, !standbys.isEmpty());
        Set<InputPosition> visible = PositionVisibility.visible(store, local, atLeast);
        return new ViewResponse(query.reader().apply(local), partitions, lags, visible);
    }
}
