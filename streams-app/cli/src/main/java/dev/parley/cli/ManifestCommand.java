package dev.parley.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.audit.AuditFault;
import dev.parley.avro.AuditManifest;
import dev.parley.cli.export.ProgressListener;
import dev.parley.cli.io.ClusterErrors;
import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.verify.LatestManifests;
import dev.parley.json.AvroJson;
import dev.parley.logging.ControlCharacters;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
final class ManifestCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Override
    public Integer call() throws IOException {
        ParleyConfig settings = config.read(spec);
        PrintWriter err = spec.commandLine().getErr();
        boolean[] whole = {true};
        ProgressListener progressListener = new ProgressListener() {
            @Override
            public void found(AuditFault auditFault) {
                whole[0] = false;
                err.println(auditFault);
            }

            @Override
            public void progress(long done, long total) {
                // The topic is small.
            }
        };
        List<AuditManifest> manifests;
        try (AvroSerdes serdes = AvroSerdes.fromConfig(settings.registrySettings());
                LatestManifests reader = new LatestManifests(
                        StreamsSettings.clientSettings(settings),
                        new Topics(settings.topics(), serdes),
                        progressListener)) {
            manifests = reader.read();
        } catch (KafkaException e) {
            err.println("parley manifest: " + ControlCharacters.escape(ClusterErrors.describe(e, settings)));
            return 1;
        }
        try (JsonGenerator json = JsonLines.generator(System.out)) {
            for (AuditManifest manifest : manifests) {
                AvroJson.write(json, manifest);
                json.writeRaw('\n');
            }
        }
        if (manifests.isEmpty()) {
            err.println("No manifest yet. The pipeline publishes the first one after audit.manifest.interval.ms.");
        }
        return whole[0] && !manifests.isEmpty() ? 0 : 1;
    }
}
