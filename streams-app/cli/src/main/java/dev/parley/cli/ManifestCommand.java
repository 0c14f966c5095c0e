package dev.parley.cli;

import dev.parley.avro.AuditManifest;
import dev.parley.cli.export.FaultPrinter;
import dev.parley.cli.export.TopicExport;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Progress;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code parley manifest}: the latest manifests, to be stored elsewhere. */
@Command(
        name = "manifest",
        description = "Prints the latest manifest of each journal of the audit trail, one JSON object per line.",
        footer = {
            "",
            "Store them where writers of the topics cannot change them. Later, parley verify --since FILE checks that"
                    + " the trail continues them.",
            "Exit status: 0; 1 if there is no manifest, or one cannot be read.",
            "",
            "Example:",
            "  parley manifest --set bootstrap.servers=localhost:9092 > manifests.jsonl"
        })
final class ManifestCommand extends ConfigCommand {
    @Override
    public Integer call() throws IOException {
        ParleyConfig settings = connected();
        FaultPrinter faults = new FaultPrinter(err(), Progress.NONE);
        List<AuditManifest> manifests;
        try (AvroSerdes serdes = AvroSerdes.fromConfig(settings.registrySettings());
                TopicExport topics =
                        new TopicExport(StreamsSettings.clientSettings(settings), settings.topics(), serdes, faults)) {
            manifests = topics.latestManifests();
        }
        manifests.forEach(JsonLines::print);
        if (manifests.isEmpty()) {
            err().println("No manifest yet. The pipeline publishes the first one after audit.manifest.interval.ms.");
        }
        return faults.hasFound() || manifests.isEmpty() ? 1 : 0;
    }
}
