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
                return 1;
            }

            @Override
            public Set<HostInfo> owners(String store) {
                return Set.of(owner.get());
            }

            @Override
            public Map<HostInfo, Set<Integer>> standbys(String store) {
                return Map.of();
            }
        };
    }
}
