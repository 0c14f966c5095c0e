package dev.parley.server.cluster;

import dev.parley.protocol.TopicNames;
import dev.parley.topology.views.ViewChecks;
import dev.parley.topology.views.read.StreamsStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.state.HostInfo;

/** Reads partition metadata from Kafka Streams, as of the last rebalance. */
public final class StreamsPartitionMetadata implements PartitionMetadata {

    private final KafkaStreams application;
    private final HostInfo self;
    private final TopicNames topics;

    /**
     * @param application an application of {@link dev.parley.topology.views.ViewsTopology}
     * @param self its {@code application.server}
     * @param topics names of the topics that it reads
     */
    public StreamsPartitionMetadata(KafkaStreams application, HostInfo self, TopicNames topics) {
        this.application = application;
        this.self = self;
        this.topics = topics;
    }

    @Override
    public HostInfo self() {
        return self;
    }

    @Override
    public Owner ownerOf(String store, String key) {
        KeyQueryMetadata metadata = StreamsStores.locate(application, store, key);
        if (metadata.equals(KeyQueryMetadata.NOT_AVAILABLE)) {
            throw new ViewsUnavailableException("The partitions of the views are not assigned yet.");
        }
        return new Owner(
                metadata.partition(),
                Optional.ofNullable(metadata.activeHost()).filter(host -> !host.equals(HostInfo.unavailable())),
                metadata.standbyHosts());
    }

    @Override
    public int partitions(String store) {
        return StreamsStores.count(application, store);
    }

    @Override
    public Set<HostInfo> owners(String store) {
        return all().stream()
                .filter(instance -> instance.stateStoreNames().contains(store))
                .map(StreamsMetadata::hostInfo)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Override
    public Map<HostInfo, Set<Integer>> standbys(String store) {
        Set<String> sources = ViewChecks.sources(store, topics);
        Map<HostInfo, Set<Integer>> standbys = new HashMap<>();
        for (StreamsMetadata instance : all()) {
            for (TopicPartition partition : instance.standbyTopicPartitions()) {
                if (instance.standbyStateStoreNames().contains(store) && sources.contains(partition.topic())) {
                    standbys.computeIfAbsent(instance.hostInfo(), host -> new TreeSet<>())
                            .add(partition.partition());
                }
            }
        }
        return standbys;
    }

    private Collection<StreamsMetadata> all() {
        try {
            return application.metadataForAllStreamsClients();
        } catch (IllegalStateException e) {
            throw new ViewsUnavailableException("Kafka Streams is not running.", e);
        }
    }
}
