package dev.parley.server.cluster;

import dev.parley.protocol.TopicNames;
import dev.parley.topology.views.ViewChecks;
import dev.parley.topology.views.read.StreamsStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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
    public Map<HostInfo, Set<Integer>> owners(String store) {
        return instances(store, StreamsMetadata::stateStoreNames, StreamsMetadata::topicPartitions);
    }

    @Override
    public Map<HostInfo, Set<Integer>> standbys(String store) {
        return instances(store, StreamsMetadata::standbyStateStoreNames, StreamsMetadata::standbyTopicPartitions);
    }

    private Map<HostInfo, Set<Integer>> instances(
            String store,
            Function<StreamsMetadata, Set<String>> stores,
            Function<StreamsMetadata, Set<TopicPartition>> partitions) {
        Set<String> sources = ViewChecks.sources(store, topics);
        Map<HostInfo, Set<Integer>> found = new LinkedHashMap<>();
        for (StreamsMetadata instance : all()) {
            for (TopicPartition partition : partitions.apply(instance)) {
                if (stores.apply(instance).contains(store) && sources.contains(partition.topic())) {
                    found.computeIfAbsent(instance.hostInfo(), host -> new TreeSet<>())
                            .add(partition.partition());
                }
            }
        }
        return found;
    }

    private Collection<StreamsMetadata> all() {
        try {
            return application.metadataForAllStreamsClients();
        } catch (IllegalStateException e) {
            throw new ViewsUnavailableException("Kafka Streams is not running.", e);
        }
    }
}
