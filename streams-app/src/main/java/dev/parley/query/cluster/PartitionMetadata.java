package dev.parley.query.cluster;

import dev.parley.query.read.ViewsUnavailableException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Which process has what of the views, as this one knows; what it knows may be of yesterday. Every method may throw
 * {@link ViewsUnavailableException}.
 */
public interface PartitionMetadata {

    /**
     * Who has a partition.
     *
     * @param partition its number
     * @param active whose it is; empty when nobody has it now
     * @param standbys who have copies
     */
    record Owner(int partition, Optional<HostInfo> active, Set<HostInfo> standbys) {

        /** Copies the set. */
        public Owner {
            standbys = Set.copyOf(standbys);
        }
    }

    /** This process. */
    HostInfo self();

    /** Who has the partition of a chain. */
    Owner ownerOf(String chain);

    /** How many partitions a store has. */
    int partitions(String store);

    /** Who has partitions of a store. */
    Set<HostInfo> owners(String store);

    /** Who has copies of partitions of a store, and of which. */
    Map<HostInfo, Set<Integer>> standbys(String store);

    /** A process that is alone, with one partition. */
    static PartitionMetadata alone() {
        HostInfo self = new HostInfo("localhost", 0);
        return new PartitionMetadata() {
            @Override
            public HostInfo self() {
                return self;
            }

            @Override
            public Owner ownerOf(String chain) {
                return new Owner(0, Optional.of(self), Set.of());
            }

            @Override
            public int partitions(String store) {
                return 1;
            }

            @Override
            public Set<HostInfo> owners(String store) {
                return Set.of(self);
            }

            @Override
            public Map<HostInfo, Set<Integer>> standbys(String store) {
                return Map.of();
            }
        };
    }
}
