package dev.parley.server.cluster;

import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.state.HostInfo;

/**
 * The assignment of the view partitions to instances, according to the last rebalance that this instance has seen.
 * Every method may throw {@link ViewsUnavailableException}.
 */
public interface PartitionMetadata {

    /**
     * The instances that have a partition.
     *
     * @param partition its number
     * @param active its owner; empty if it has none now
     * @param standbys instances with a standby
     */
    record Owner(int partition, Optional<HostInfo> active, Set<HostInfo> standbys) {

        public Owner {
            standbys = Set.copyOf(standbys);
        }
    }

    /** Advertised address of this instance. */
    HostInfo self();

    /**
     * The instances that have a partition of a store.
     *
     * @param key name of a chain, or another key of the partition
     */
    Owner ownerOf(String store, String key);

    int partitions(String store);

    /** Instances that own partitions of a store, and these. */
    Map<HostInfo, Set<Integer>> owners(String store);

    /** Instances with standbys of a store, and the partitions of these. */
    Map<HostInfo, Set<Integer>> standbys(String store);
}
