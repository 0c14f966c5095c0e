package dev.parley.cli;

import dev.parley.cli.export.ExportFormat;
import dev.parley.cli.export.ExportTarget;
import dev.parley.cli.export.Exporter.Written;
import dev.parley.cli.export.FaultPrinter;
import dev.parley.cli.export.TopicExport;
import dev.parley.cli.export.TopicExport.Selection;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.KeptOpen;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.ReplacementFile;
import dev.parley.cli.io.UsageException;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley export}: the audit trail, or a part of it, as a file that can be verified without anything else. */
@Command(
        name = "export",
        description =
                "Writes the audit trail, one chain of it or a time range, with its published heads, to a file that"
                        + " parley verify can verify offline.",
        footer = {
            "",
            "A time range selects input that the broker received at or after --from and before --to. The export has"
                    + " the records of each chain from the first match to the last.",
            "Redacted payloads are omitted.",
            "Only you can read the file. It appears when it is complete; until then, its content is in FILE.part.",
            "Exit status: 0; 1 if the export failed, or lacks a record that could not be read.",
            "",
            "Examples:",
            "  parley export --set bootstrap.servers=localhost:9092 --out export.jsonl",
            "  parley export --chain 'default|SLIP|1' --format avro --out one.avro",
            "  parley export --format parquet --out audit.parquet"
        })
final class ExportCommand extends ConfigCommand {
    @Mixin
    private SelectionOptions selected;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "jsonl",
            description = "jsonl, avro or parquet. parley verify reads the first two; Parquet is for analysis. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String format;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Output file, which must not exist; - for standard output. Default: standard output.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        Selection selection = selected.read();
        Optional<ExportTarget> form = format();
        if (form.isEmpty()) {
            return failed("--format parquet: " + SqlEngine.MISSING);
        }
        ParleyConfig settings = settings();
        Progress progress = Progress.of("export", -1);
        FaultPrinter faults = new FaultPrinter(err(), progress);
        Written written;
        try (progress;
                ReplacementFile aside = isStandardOutput() ? null : ReplacementFile.open(file);
                AvroSerdes serdes = AvroSerdes.fromConfig(connected().registrySettings());
                TopicExport export =
                        new TopicExport(StreamsSettings.clientSettings(settings), settings.topics(), serdes, faults);
                OutputStream out = aside == null ? new KeptOpen(System.out) : aside.stream()) {
            written = export.run(selection, form.get(), out, Clock.systemUTC().instant());
            if (aside != null) {
                aside.publish();
            }
        } catch (FileAlreadyExistsException e) {
            throw new UsageException("--out " + file + ": the file exists. Name another file.", e);
        }
        if (aborted()) {
            return 1;
        }
        err().println(Counts.of(written.records(), "record") + " in " + Counts.of(written.chains(), "chain") + ", with "
                + Counts.of(written.heads(), "published head") + " and "
                + Counts.of(written.manifests(), "manifest"));
        return faults.hasFound() ? 1 : 0;
    }

    /** The format; empty for Parquet without the module sql. */
    private Optional<ExportTarget> format() {
        return switch (format) {
            case "jsonl" -> Optional.of(ExportFormat.JSONL);
            case "avro" -> Optional.of(ExportFormat.AVRO);
            case "parquet" -> SqlEngine.find().map(SqlEngine::parquet);
            default -> throw new UsageException("--format must be jsonl, avro or parquet, but was '" + format + "'");
        };
    }

    /** Whether the reader of standard output stopped early, or its disk is full. */
    private boolean aborted() {
        return isStandardOutput() && System.out.checkError();
    }

    private boolean isStandardOutput() {
        return file == null || file.toString().equals("-");
    }
}
