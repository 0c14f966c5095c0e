package dev.parley.cli;

import dev.parley.cli.export.FaultPrinter;
import dev.parley.cli.export.TopicExport;
import dev.parley.cli.export.TopicExport.Selection;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.KeptOpen;
import dev.parley.cli.io.KeyOptions;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.ReplacementFile;
import dev.parley.cli.io.UsageException;
import dev.parley.cli.io.WitnessOptions;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportTarget;
import dev.parley.log.export.Exporter.Written;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.pipeline.LogHeadSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley export}: the audit trail, or a part of it, as a file that can be verified without anything else. */
@Command(
        name = "export",
        description =
                "Writes the audit trail, one chain of it or a time range, with the heads that prove it, to a file that"
                        + " parley verify can verify offline.",
        footer = {
            "",
            "Without --key, the keys are those of audit.heads.keys, and without any, the notes of every writer of the"
                    + " topic of heads count.",
            "A time range selects input that the broker received at or after --from and before --to. The export has"
                    + " the records of each partition of the log from the first match to the last, and one on each"
                    + " side, which proves that none is missing there.",
            "Hashes stand for records outside the selection. Records that no published head covers yet, and redacted"
                    + " content, are omitted.",
            "Only you can read the file. It appears when it is complete; until then, its content is in FILE.part.",
            "Exit status: 0; 1 if the export failed, or lacks a record that could not be read.",
            "",
            "Examples:",
            "  parley export --set bootstrap.servers=localhost:9092 --out export.jsonl",
            "  parley export --chain 'default|SLIP|1' --sign audit.key --out one.jsonl",
            "  parley export --format parquet --out audit.parquet"
        })
final class ExportCommand extends ConfigCommand {
    @Mixin
    private SelectionOptions selected;

    @Mixin
    private KeyOptions keys;

    @Mixin
    private WitnessOptions witnesses;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description =
                    "jsonl or parquet. parley verify reads JSON lines, also compressed with gzip; Parquet is for analysis."
                            + " Default: that of the suffix of the file, otherwise jsonl.")
    private String format;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Output file, which must not exist; - for standard output. Default: standard output.")
    private Path file;

    @Option(
            names = "--sign",
            paramLabel = "FILE",
            description = "With --chain: signs, with this private key of the deployment, that the chain has no later"
                    + " records.")
    private Path key;

    @Override
    public Integer call() throws IOException {
        Selection selection = selected.read();
        if (key != null && selection.chain().isEmpty()) {
            throw new UsageException("--sign requires --chain");
        }
        Optional<ExportTarget> form = format();
        if (form.isEmpty()) {
            return failed("--format parquet: " + SqlEngine.MISSING);
        }
        ParleyConfig settings = settings();
        Optional<LogNotes> signer = Optional.ofNullable(key).map(file -> signer(file, settings));
        LogNoteReader notes = new LogNoteReader(witnesses.read(), keys.readOr(settings.getList(AuditKeys.HEADS_KEYS)));
        Progress progress = Progress.of("export");
        FaultPrinter faults = new FaultPrinter(err(), progress);
        Written written;
        Optional<Instant> end;
        try (progress;
                ReplacementFile aside = isStandardOutput() ? null : ReplacementFile.open(file);
                AvroSerdes serdes = AvroSerdes.fromConfig(connected().registrySettings());
                TopicExport export = new TopicExport(
                        StreamsSettings.clientSettings(settings), settings.topics(), serdes, notes, faults);
                OutputStream out = aside == null ? new KeptOpen(System.out) : aside.stream()) {
            written = export.run(
                    selection, signer, form.get(), out, Clock.systemUTC().instant());
            if (aside != null) {
                aside.publish();
            }
            end = export.end();
        }
        if (aborted()) {
            return 1;
        }
        err().println(Counts.of(written.records(), "record") + " in " + Counts.of(written.chains(), "chain") + ", with "
                + Counts.of(written.notes(), "note")
                + (written.omitted() == 0 ? "" : " and " + written.omitted() + " hashes of omitted records"));
        if (!end.equals(selection.to())) {
            err().println("The time range ends at " + end.orElseThrow() + ", up to which the audit log is complete.");
        }
        if (form.get().isProvable() && written.notes() == 0) {
            return failed(
                    "the pipeline has not published a head yet, or no head has the quorum of --witness, so no record is"
                            + " exported. Repeat the export later.");
        }
        return faults.hasFound() ? 1 : 0;
    }

    /** The signer of the end of a chain. */
    static LogNotes signer(Path file, ParleyConfig settings) {
        String origin = LogHeadSettings.originOf(settings);
        try {
            return new LogNotes(origin, List.of(NoteSigner.of(origin, KeyFiles.readPair(file))));
        } catch (IOException e) {
            throw new UsageException("--sign " + file + ": " + ErrorMessages.reason(e), e);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--sign " + file + ": " + e.getMessage(), e);
        }
    }

    /** The format; empty for Parquet without the module sql. */
    private Optional<ExportTarget> format() {
        return switch (format == null ? suffix() : format) {
            case "jsonl" -> Optional.of(ExportFormat.JSONL);
            case "parquet" -> SqlEngine.find().map(SqlEngine::parquet);
            default -> throw new UsageException("--format must be jsonl or parquet, but was '" + format + "'");
        };
    }

    /** The format that the suffix of the file names. */
    private String suffix() {
        String name = isStandardOutput() ? "" : file.getFileName().toString();
        return switch (name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT)) {
            case "parquet" -> "parquet";
            case "avro", "csv", "gz", "json", "orc", "xml", "zip", "zst" ->
                throw new UsageException(
                        "--out " + file
                                + ": the suffix must be .jsonl or .parquet, the formats of an export, unless --format names one");
            default -> "jsonl";
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
