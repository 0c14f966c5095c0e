package dev.parley.cli;

import dev.parley.audit.AuditFault;
import dev.parley.cli.export.ExportFormat;
import dev.parley.cli.export.ExportTarget;
import dev.parley.cli.export.Exporter.Written;
import dev.parley.cli.export.ProgressListener;
import dev.parley.cli.export.TopicExport;
import dev.parley.cli.export.TopicExport.Selection;
import dev.parley.cli.export.TopicExport.UnknownChainException;
import dev.parley.cli.io.ClusterErrors;
import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.ReplacementFile;
import dev.parley.logging.ControlCharacters;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
            "The file appears when it is complete. Until then, its content is in FILE.part.",
            "Exit status: 0; 1 if the export failed, or lacks a record that could not be read.",
            "",
            "Examples:",
            "  parley export --set bootstrap.servers=localhost:9092 --out export.jsonl",
            "  parley export --chain 'default|SLIP|1' --format avro --out one.avro",
            "  parley export --format parquet --out audit.parquet"
        })
final class ExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

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
        Selection selection = selected.read(spec);
        Optional<ExportTarget> form = format();
        if (form.isEmpty()) {
            spec.commandLine().getErr().println("parley export: --format parquet: " + SqlEngine.MISSING);
            return 1;
        }
        ParleyConfig settings = config.read(spec);
        PrintWriter err = spec.commandLine().getErr();
        boolean[] whole = {true};
        Written written;
        try (ReplacementFile aside = isStandardOutput() ? null : ReplacementFile.open(file);
                Progress progress = Progress.of("export", -1);
                AvroSerdes serdes = AvroSerdes.fromConfig(settings.registrySettings());
                TopicExport export = new TopicExport(
                        StreamsSettings.clientSettings(settings), settings.topics(), serdes, new ProgressListener() {
                            @Override
                            public void found(AuditFault auditFault) {
                                whole[0] = false;
                                err.println(ControlCharacters.escape(auditFault.toString()));
                            }

                            @Override
                            public void progress(long done, long total) {
                                progress.stepTo(done, total);
                            }
                        });
                OutputStream out = aside == null ? standardOutput() : aside.stream()) {
            written = export.run(selection, form.get(), out, Clock.systemUTC().instant());
            if (aside != null) {
                aside.publish();
            }
        } catch (FileAlreadyExistsException e) {
            throw new ParameterException(
                    spec.commandLine(), "--out " + file + ": the file exists. Name another file.", e);
        } catch (KafkaException | UnknownChainException e) {
            err.println("parley export: " + ControlCharacters.escape(ClusterErrors.describe(e, settings)));
            return 1;
        }
        if (aborted()) {
            return 1;
        }
        err.println(Counts.of(written.records(), "record") + " in " + Counts.of(written.chains(), "chain") + ", with "
                + Counts.of(written.heads(), "published head") + " and "
                + Counts.of(written.manifests(), "manifest"));
        return whole[0] ? 0 : 1;
    }

    /** The format; empty for Parquet without the module sql. */
    private Optional<ExportTarget> format() {
        return switch (format) {
            case "jsonl" -> Optional.of(ExportFormat.JSONL);
            case "avro" -> Optional.of(ExportFormat.AVRO);
            case "parquet" -> SqlEngine.find().map(SqlEngine::parquet);
            default ->
                throw new ParameterException(
                        spec.commandLine(), "--format must be jsonl, avro or parquet, but was '" + format + "'");
        };
    }

    /** Whether the reader of standard output stopped early, or its disk is full. */
    private boolean aborted() {
        return isStandardOutput() && System.out.checkError();
    }

    private boolean isStandardOutput() {
        return file == null || file.toString().equals("-");
    }

    /** Standard output, which belongs to the process and stays open. */
    private static OutputStream standardOutput() {
        return new FilterOutputStream(System.out) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                out.write(bytes, from, length);
            }

            @Override
            public void close() throws IOException {
                flush();
            }
        };
    }
}
