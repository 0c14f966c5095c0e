package dev.parley.server.api;

import dev.parley.server.cluster.PartitionMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.streams.state.HostInfo;

/** Fixed partition metadata. */
public final class Clusters {

    private Clusters() {}

    /** One partition, owned by this instance. */
    static PartitionMetadata at(Supplier<HostInfo> self) {
        return of(self, self);
    }

    /** One partition, owned by an instance. */
    public static PartitionMetadata of(Supplier<HostInfo> self, Supplier<HostInfo> owner) {
        return of(self, owner, 1);
    }

    /** Partitions of which the first is owned by an instance, and the others by none that is known. */
    static PartitionMetadata of(Supplier<HostInfo> self, Supplier<HostInfo> owner, int partitions) {
        return new PartitionMetadata() {
            @Override
            public HostInfo self() {
                return self.get();
            }

            @Override
            public Owner ownerOf(String store, String key) {
                return new Owner(0, Optional.of(owner.get()), Set.of());
            }

            @Override
            public int partitions(String store) {
                return partitions;
            }

            @Override
            public Map<HostInfo, Set<Integer>> owners(String store) {
                return Map.of(owner.get(), Set.of(0));
            }

            @Override
            public Map<HostInfo, Set<Integer>> standbys(String store) {
                return Map.of();
            }
        };
    }
}
