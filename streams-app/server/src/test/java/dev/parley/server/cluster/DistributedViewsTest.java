package dev.parley.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.topology.views.store.ViewStores;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;

/** What the health of an instance says about partitions of the views that it cannot read. */
class DistributedViewsTest {

    /** No instance owns a partition of any store. */
    private static final class Ownerless implements PartitionMetadata {
        @Override
        public HostInfo self() {
            return new HostInfo("self.example", 8080);
        }

        @Override
        public Owner ownerOf(String store, String key) {
            return new Owner(0, Optional.empty(), Set.of());
        }

        @Override
        public int partitions(String store) {
            return 2;
        }

        @Override
        public Map<HostInfo, Set<Integer>> owners(String store) {
            return Map.of();
        }

        @Override
        public Map<HostInfo, Set<Integer>> standbys(String store) {
            return Map.of();
        }
    }

    @Test
    void namesEachStoreWithoutKnownOwners() {
        Map<String, String> problems = new DistributedViews(null, new Ownerless(), null, Duration.ZERO).problems();

        assertThat(problems).hasSameSizeAs(ViewStores.PARTITIONED);
        ViewStores.PARTITIONED.forEach(store -> assertThat(problems)
                .hasEntrySatisfying(
                        "an unknown address (" + store + ")",
                        problem -> assertThat(problem)
                                .contains("owns the partitions [0, 1] of the store " + store + ".")));
    }
}
