package dev.parley.server.cluster;

import dev.parley.topology.views.store.ViewStores;

/** The partitions that a query reads, which decide which instances answer it. */
public sealed interface RoutingScope {

    /** The partitioned store that the query reads. */
    default String store() {
        return ViewStores.AUDIT;
    }

    /**
     * One partition of a store. Its owner answers alone.
     *
     * @param store name of the store
     * @param key name of a chain, or another key that {@link dev.parley.topology.topics.ChainPartitioner} assigns to
     *     the partition
     */
    record SinglePartition(String store, String key) implements RoutingScope {

        /** The partition of a chain. */
        public static SinglePartition ofChain(String chain) {
            return new SinglePartition(ViewStores.AUDIT, chain);
        }
    }

    /**
     * A list over all partitions of a store, in the order of its keys. Every instance answers for its partitions, and
     * the pages are merged.
     */
    record MergedList(String store) implements RoutingScope {}

    /** An entry in an unknown partition. Every instance is asked; all but one answer {@link ViewAnswer.Absent}. */
    record AnyPartition() implements RoutingScope {}
}
