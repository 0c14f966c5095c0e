package dev.parley.cli;

import dev.parley.cli.export.FaultPrinter;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.BuildInfo;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.KeyOptions;
import dev.parley.cli.io.NewDirectory;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.UsageException;
import dev.parley.cli.io.WitnessOptions;
import dev.parley.log.TrustedKey;
import dev.parley.log.evidence.Evidence;
import dev.parley.log.export.NotAnExportException;
import dev.parley.log.tlog.WitnessPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley evidence}: a directory that proves and explains an export of the audit trail to an outsider. */
@Command(
        name = "evidence",
        description =
                "Writes a directory that proves an export of the audit trail to a reader without Parley and without the"
                        + " cluster: records, proofs, heads, keys, schemas, a report, and instructions.",
        footer = {
            "",
            "parley export selects the records, such as one conversation, whose end --sign proves.",
            "Exit status: 0; 1 if the records do not verify: then no directory is written.",
            "",
            "Examples:",
            "  parley export --chain 'default|SLIP|1' --sign audit.key --out one.jsonl",
            "  parley evidence one.jsonl --key audit.vkey --out evidence"
        })
final class EvidenceCommand extends BaseCommand {
    private static final int GZIP = 0x1f;

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "Output directory, which must not exist. Only you can read it.")
    private Path out;

    @Mixin
    private KeyOptions keys;

    @Mixin
    private WitnessOptions witnesses;

    @Parameters(paramLabel = "FILE", description = "An export.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        Options.requireFile(file);
        List<TrustedKey> trusted = keys.read();
        WitnessPolicy policy = witnesses.read();
        try (NewDirectory directory = NewDirectory.create(out)) {
            Optional<Evidence.Written> written = new Evidence(
                            directory, copy(directory), trusted, policy, String.join(" ", new BuildInfo().getVersion()))
                    .write(new FaultPrinter(err(), Progress.NONE));
            if (written.isEmpty()) {
                return failed("the records do not verify, so they are no evidence; nothing was written");
            }
            directory.keep();
            report(Counts.of(written.get().records(), "record") + " and "
                    + Counts.of(written.get().proofs(), "proof") + " in " + out
                    + (trusted.isEmpty()
                            ? ". Without --key, they are verified with the keys in the export, which prove nothing by"
                                    + " themselves."
                            : ""));
            return 0;
        } catch (NotAnExportException e) {
            throw new UsageException(e.getMessage(), e);
        }
    }

    private String copy(NewDirectory directory) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] first = in.readNBytes(1);
            String name = first.length == 1 && first[0] == GZIP ? "export.jsonl.gz" : "export.jsonl";
            try (OutputStream export = directory.file(name)) {
                export.write(first);
                in.transferTo(export);
            }
            return name;
        }
    }
}
