package dev.parley.cli;

import dev.parley.cli.export.FaultPrinter;
import dev.parley.cli.export.TopicExport;
import dev.parley.cli.export.TopicExport.Selection;
import dev.parley.cli.io.BuildInfo;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.NewDirectory;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.UsageException;
import dev.parley.cli.io.WitnessOptions;
import dev.parley.decode.ConversationKey;
import dev.parley.log.LogNotes;
import dev.parley.log.evidence.Evidence;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.NotAnExportException;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.ChainPartitioner;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley evidence}: a directory that proves and explains a part of the audit trail to an outsider. */
@Command(
        name = "evidence",
        description =
                "Writes a directory that proves a part of the audit trail to a reader without Parley and without the"
                        + " cluster: records, proofs, heads, keys, schemas, a report, and instructions.",
        footer = {
            "",
            "Selects one conversation, or input that the broker received at or after --from and before --to, from the"
                    + " topics; or takes an export. Redacted content is omitted, as in an export.",
            "Exit status: 0; 1 if the records cannot be read, or do not verify: then no directory is written.",
            "",
            "Examples:",
            "  parley evidence --conversation default/slip/1 --sign audit.key --out one",
            "  parley evidence --from 2026-01-31 --to 2026-02-01 --out january31",
            "  parley evidence export.jsonl --out evidence"
        })
final class EvidenceCommand extends ConfigCommand {
    @Option(
            names = "--conversation",
            paramLabel = "NS/PROTO/CONV",
            description = "The conversation: namespace, protocol and conversation ID.")
    private ConversationKey conversation;

    @Option(names = "--from", paramLabel = "TIME", description = "First time, as for parley export.")
    private Instant from;

    @Option(names = "--to", paramLabel = "TIME", description = "Time before which the evidence ends.")
    private Instant to;

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "Output directory, which must not exist. Only you can read it.")
    private Path out;

    @Mixin
    private WitnessOptions witnesses;

    @Option(
            names = "--sign",
            paramLabel = "FILE",
            description = "With --conversation: signs, with this private key of the deployment, that it has no later"
                    + " records.")
    private Path key;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "An export. Default: the topics.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        boolean range = from != null || to != null;
        if ((conversation != null ? 1 : 0) + (range ? 1 : 0) + (file != null ? 1 : 0) != 1) {
            throw new UsageException("give --conversation, or --from and --to, or an export");
        }
        if (key != null && conversation == null) {
            throw new UsageException("--sign requires --conversation");
        }
        Options.requireOrder(from, to);
        Selection selection = new Selection(
                Optional.ofNullable(conversation)
                        .map(key -> ChainPartitioner.chainOf(key.namespace(), key.symbol(), key.nameInViews())),
                Optional.ofNullable(from),
                Optional.ofNullable(to));
        if (file != null) {
            Options.requireFile(file);
        }
        WitnessPolicy policy = witnesses.read();
        FaultPrinter faults = new FaultPrinter(err(), Progress.NONE);
        try (NewDirectory directory = NewDirectory.create(out)) {
            String name = file == null ? fromTopics(selection, policy, directory, faults) : copy(directory);
            Optional<Evidence.Written> written = faults.hasFound()
                    ? Optional.empty()
                    : new Evidence(directory, name, policy, String.join(" ", new BuildInfo().getVersion()))
                            .write(faults);
            if (written.isEmpty()) {
                return failed("the records do not verify, so they are no evidence; nothing was written");
            }
            directory.keep();
            report(Counts.of(written.get().records(), "record") + " and "
                    + Counts.of(written.get().proofs(), "proof") + " in " + out);
            return 0;
        } catch (FileAlreadyExistsException e) {
            throw new UsageException("--out " + out + " exists. Name another directory.", e);
        } catch (NotAnExportException e) {
            throw new UsageException(e.getMessage(), e);
        }
    }

    private String fromTopics(Selection selection, WitnessPolicy policy, NewDirectory directory, FaultPrinter faults)
            throws IOException {
        ParleyConfig settings = connected();
        Optional<LogNotes> signer = Optional.ofNullable(key).map(secret -> ExportCommand.signer(secret, settings));
        String name = "export.jsonl";
        try (AvroSerdes serdes = AvroSerdes.fromConfig(settings.registrySettings());
                TopicExport topics = new TopicExport(
                        StreamsSettings.clientSettings(settings), settings.topics(), serdes, policy, faults);
                OutputStream export = directory.file(name)) {
            topics.run(
                    selection,
                    signer,
                    ExportFormat.JSONL,
                    export,
                    Clock.systemUTC().instant());
        }
        return name;
    }

    private String copy(NewDirectory directory) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] first = in.readNBytes(1);
            String name = first.length == 1 && first[0] == 0x1f ? "export.jsonl.gz" : "export.jsonl";
            try (OutputStream export = directory.file(name)) {
                export.write(first);
                in.transferTo(export);
            }
            return name;
        }
    }
}
