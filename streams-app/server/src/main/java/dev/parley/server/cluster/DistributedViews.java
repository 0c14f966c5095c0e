package dev.parley.server.cluster;

import dev.parley.topology.views.Views;
import dev.parley.topology.views.store.ViewStores;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.streams.state.HostInfo;

/**
 * The views of all instances of a deployment, as one instance sees them. {@link Routing} answers a query from them: it
 * looks up the owners of the partitions in {@code metadata}, and reads {@code local} or sends a {@link PeerRequest}
 * through {@code peers}.
 *
 * @param local views on this instance
 * @param metadata which instance has which partitions
 * @param peers the other instances
 * @param retryTimeout maximum time to retry a query while partitions move or a position is not visible
 */
public record DistributedViews(Views local, PartitionMetadata metadata, Peers peers, Duration retryTimeout) {

    /** Why this instance cannot read partitions of the views; by address of the owner. */
    public SortedMap<String, String> problems() {
        SortedMap<String, String> problems = new TreeMap<>();
        for (String store : ViewStores.PARTITIONED) {
            Set<Integer> ownerless = new TreeSet<>();
            IntStream.range(0, metadata.partitions(store)).forEach(ownerless::add);
            metadata.owners(store).values().forEach(ownerless::removeAll);
            if (!ownerless.isEmpty()) {
                problems.put(
                        "an unknown address (" + store + ")",
                        "No known instance owns the partitions " + ownerless + " of the store " + store
                                + ". If they are not moving, two members of the consumer group of the views advertise"
                                + " the same address: give each instance its own " + ClusterKeys.ADVERTISED + ".");
            }
            owningPeers(store)
                    .forEach(peer -> peers.problem(peer)
                            .ifPresent(problem -> problems.put(PeerAuthenticator.name(peer), problem)));
        }
        return problems;
    }

    boolean isSelf(HostInfo instance) {
        return instance.equals(metadata.self());
    }

    /** The other instances that own partitions of a store. */
    Set<HostInfo> owningPeers(String store) {
        Set<HostInfo> owners = new LinkedHashSet<>(metadata.owners(store).keySet());
        owners.remove(metadata.self());
        return owners;
    }

    /** The other instances with standbys of a store, and the partitions of these. */
    Map<HostInfo, Set<Integer>> standbyPeers(String store) {
        Map<HostInfo, Set<Integer>> standbys = new LinkedHashMap<>(metadata.standbys(store));
        standbys.remove(metadata.self());
        return standbys;
    }
}
