package dev.parley.cli;

import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.Mermaid;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.ParleyTopology;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.topics.Topics;
import java.util.Map;
import org.apache.kafka.streams.TopologyDescription;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley topology}: prints the topology of the pipeline and its diagram. */
@Command(
        name = "topology",
        description = "Prints the topology of the pipeline: the description of Kafka Streams, then a Mermaid diagram.",
        footer = {"", "Example:", "  parley topology --mermaid > topology.mmd"})
final class TopologyCommand extends ConfigCommand {
    @Option(names = "--mermaid", description = "Prints only the diagram.")
    private boolean mermaidOnly;

    @Override
    public Integer call() throws Exception {
        ParleyConfig settings = settings();
        try (AvroSerdes serdes = AvroSerdes.fromConfig(Map.of(ParleyConfig.REGISTRY_URL, "mock://topology"))) {
            TopologyDescription description = new ParleyTopology(
                            new Topics(settings.topics(), serdes),
                            serdes,
                            PipelineSettings.of(settings),
                            PipelineListener.NONE)
                    .build()
                    .describe();
            if (!mermaidOnly) {
                System.out.println(description);
            }
            System.out.println(Mermaid.of(description));
        }
        return 0;
    }
}
