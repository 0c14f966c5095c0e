package dev.parley.server.cluster;

import dev.parley.topology.views.store.ViewStores;

/** The partitions that a query reads, which decide which instances answer it. */
public sealed interface RoutingScope {

    /** The partitioned store that the query reads. */
    default String store() {
        return ViewStores.AUDIT;
    }

    /**
     * The partition of one chain. Its owner answers alone.
     *
     * @param chain name of the chain, see {@link dev.parley.topology.topics.ChainPartitioner}
     */
    record SinglePartition(String chain) implements RoutingScope {}

    /**
     * A list over all partitions of a store, in the order of its keys. Every instance answers for its partitions, and
     * the pages are merged.
     */
    record MergedList(String store) implements RoutingScope {}

    /** An entry in an unknown partition. Every instance is asked; all but one answer {@link ViewAnswer.Absent}. */
    record AnyPartition() implements RoutingScope {}
}
