package dev.parley.docs;

import dev.parley.log.LogNoteReader;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.ServerConfig;
import dev.parley.topology.analytics.TrafficSettings;
import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.ParleyTopology;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.ViewRetention;
import dev.parley.topology.views.ViewsListener;
import dev.parley.topology.views.ViewsTopology;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.TopologyDescription;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Keeps the diagrams in docs/architecture.md equal to the topologies that Parley runs. */
class DiagramsPageTest {
    private static final Map<String, String> GROUPS =
            Map.of(TopicNames.DEFAULT.wire(), "parley.wire, parley.wire.*", "parley.dlq.", "parley.dlq.*");

    private final AvroSerdes serdes = AvroSerdes.fromConfig(Map.of(ParleyConfig.REGISTRY_URL, "mock://diagrams"));
    private final Topics topics = new Topics(TopicNames.DEFAULT, serdes);

    @AfterEach
    void close() throws IOException {
        serdes.close();
    }

    @Test
    void theArchitectureShowsTheDataFlow() {
        Flowchart chart = new Flowchart(GROUPS)
                .stages(pipeline())
                .application(
                        "traffic counts",
                        TrafficTopology.build(topics, 1, TrafficSettings.DEFAULT)
                                .describe())
                .application(
                        "views",
                        ViewsTopology.build(
                                        topics,
                                        1,
                                        ViewRetention.NONE,
                                        LogNoteReader::ofAll,
                                        Optional.of(PublicContent.WITHOUT_RULES),
                                        ViewsListener.NONE)
                                .describe());
        Pages.checkBlock("architecture.md", "data flow", chart.toString());
    }

    @Test
    void theArchitectureShowsTheStoresOfEachStage() {
        Flowchart chart = new Flowchart(GROUPS).stages(pipeline()).stores();
        Pages.checkBlock("architecture.md", "pipeline", chart.toString());
    }

    private TopologyDescription pipeline() {
        return new ParleyTopology(topics, serdes, PipelineSettings.of(ServerConfig.of(Map.of())), PipelineListener.NONE)
                .build()
                .describe();
    }
}
