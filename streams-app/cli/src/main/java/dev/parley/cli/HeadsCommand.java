package dev.parley.cli;

import dev.parley.avro.AuditHead;
import dev.parley.cli.export.FaultPrinter;
import dev.parley.cli.export.TopicExport;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.KeyOptions;
import dev.parley.cli.io.Progress;
import dev.parley.log.LogNoteReader;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley heads}: the latest heads of the audit log, to be stored elsewhere. */
@Command(
        name = "heads",
        description = "Prints the statement of the partitions of the audit log, and the latest head of each, one JSON"
                + " object per line.",
        footer = {
            "",
            "Without --key, the keys are those of audit.heads.keys, and without any, the notes of every writer of the"
                    + " topic of heads count.",
            "Store them where writers of the topics cannot change them. Later, parley verify --since FILE checks that"
                    + " the trail continues them.",
            "Exit status: 0; 1 if there is no head, or one cannot be read.",
            "",
            "Example:",
            "  parley heads --set bootstrap.servers=localhost:9092 > heads.jsonl"
        })
final class HeadsCommand extends ConfigCommand {
    @Mixin
    private KeyOptions keys;

    @Option(names = "--text", description = "Prints the notes as signed, each followed by an empty line.")
    private boolean text;

    @Override
    public Integer call() throws IOException {
        FaultPrinter faults = new FaultPrinter(err(), Progress.NONE);
        List<AuditHead> notes;
        ParleyConfig settings = connected();
        try (AvroSerdes serdes = AvroSerdes.fromConfig(settings.registrySettings());
                TopicExport topics = new TopicExport(
                        StreamsSettings.clientSettings(settings),
                        settings.topics(),
                        serdes,
                        new LogNoteReader(WitnessPolicy.NONE, keys.readOr(settings.getList(AuditKeys.HEADS_KEYS))),
                        faults)) {
            notes = topics.latestNotes();
        }
        if (text) {
            notes.forEach(note -> out().println(note.getNote()));
            out().flush();
        } else {
            notes.forEach(JsonLines::print);
        }
        if (notes.isEmpty()) {
            err().println("No head yet. The pipeline publishes one when it starts, and every audit.heads.interval.ms.");
        }
        return faults.hasFound() || notes.isEmpty() ? 1 : 0;
    }
}
