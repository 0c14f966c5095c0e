package dev.parley.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.log.LogNoteReader;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.ViewChecks;
import dev.parley.topology.views.ViewRetention;
import dev.parley.topology.views.ViewsListener;
import dev.parley.topology.views.ViewsTopology;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Source;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsPartitionMetadataTest {

    @ParameterizedTest
    @ValueSource(strings = {ViewStores.DEAD_LETTERS, ViewStores.LOG, ViewStores.STATISTICS})
    void everyTopicThatFillsAStoreHasItsPartitions(String store) throws IOException {
        assertThat(ViewChecks.sources(store, TopicNames.DEFAULT)).isEqualTo(topicsThatFill(store));
    }

    /** Topics of other stores fill these too, with the same partitions. */
    @ParameterizedTest
    @ValueSource(strings = {ViewStores.AUDIT, ViewStores.CHECKPOINTS})
    void aStoreHasThePartitionsOfItsTopic(String store) throws IOException {
        assertThat(topicsThatFill(store)).containsAll(ViewChecks.sources(store, TopicNames.DEFAULT));
    }

    private static Set<String> topicsThatFill(String store) throws IOException {
        TopologyDescription topology;
        try (AvroSerdes serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://partitions"))) {
            topology = ViewsTopology.build(
                            new Topics(TopicNames.DEFAULT, serdes),
                            1,
                            ViewRetention.NONE,
                            LogNoteReader::ofAll,
                            Optional.of(PublicContent.WITHOUT_RULES),
                            ViewsListener.NONE)
                    .describe();
        }
        Set<String> topics = new TreeSet<>();
        topology.subtopologies().stream()
                .flatMap(subtopology -> subtopology.nodes().stream())
                .filter(node -> node instanceof Processor processor
                        && processor.stores().contains(store))
                .flatMap(node -> node.predecessors().stream())
                .forEach(node -> topics.addAll(((Source) node).topicSet()));
        return topics;
    }
}
