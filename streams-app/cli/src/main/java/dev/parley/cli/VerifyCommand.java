package dev.parley.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.audit.AuditFault;
import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.audit.KeyFiles;
import dev.parley.audit.RecordLocation;
import dev.parley.avro.ExportStart;
import dev.parley.cli.export.ProgressListener;
import dev.parley.cli.io.ClusterErrors;
import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.StandardOutput;
import dev.parley.cli.io.VerifyReport;
import dev.parley.cli.verify.FileVerification;
import dev.parley.cli.verify.StoredManifests;
import dev.parley.cli.verify.TopicVerification;
import dev.parley.cli.verify.VerificationSummary;
import dev.parley.logging.ControlCharacters;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.ServerConfig;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.InputTopics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley verify}: verifies the audit trail. */
@Command(
        name = "verify",
        description = "Verifies the audit trail: in the topics, or in an export.",
        footer = {
            "",
            "Recomputes every hash of every chain and journal, compares the published heads and manifests, and, in the"
                    + " topics, checks that every input record is in a chain exactly once. With --since, it also"
                    + " checks that the trail continues manifests stored elsewhere. Each fault has a code and a"
                    + " location; docs/audit.md explains the codes.",
            "Without --key, signatures are not checked: such a verification does not show that the trail was not"
                    + " recomputed.",
            "Exit status: 0 without faults; 1 with faults; 2 if the trail could not be verified.",
            "",
            "Examples:",
            "  parley verify --set bootstrap.servers=localhost:9092 --key audit.pub",
            "  parley verify export.jsonl --key audit.pub --since manifests.jsonl"
        })
final class VerifyCommand implements Callable<Integer> {
    private static final int FAULTY = 1;
    private static final int FAILED = 2;
    private static final int MAX_THREADS = 64;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions config;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description =
                    "Public key that verifies the signatures, in PEM. With it, every head must be signed. Repeatable,"
                            + " for example after a key was replaced.")
    private List<Path> keys = List.of();

    @Option(
            names = "--since",
            paramLabel = "FILE",
            description =
                    "Manifests stored elsewhere, as parley manifest prints them, or an export. The trail must continue"
                            + " them.")
    private Path since;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of threads that read and hash the records of an export, 1 to " + MAX_THREADS
                    + ". Default: the number of processors. The report does not depend on it.")
    private int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());

    @Option(names = "--json", description = "Prints a JSON object per fault and one for the summary, one per line.")
    private boolean json;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "An export. Default: the topics.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        if (threads < 1 || threads > MAX_THREADS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--threads must be an integer from 1 to " + MAX_THREADS + ", but was " + threads);
        }
        HeadSignatureVerifier trusted = HeadSignatureVerifier.of(publicKeys());
        if (file != null) {
            Options.requireFile(spec, file);
            if (!Files.isRegularFile(file)) {
                throw new ParameterException(
                        spec.commandLine(), file + " must be a regular file, because it is read twice; save it first");
            }
        }
        StoredManifests stored = stored();
        // A file needs no configuration, and a wrong one must not hinder its verification.
        ParleyConfig settings = file == null ? config.read(spec) : ServerConfig.of(Map.of());
        PrintWriter out = spec.commandLine().getOut();
        try (Progress progress = Progress.of("verify", -1);
                JsonGenerator lines = JsonLines.generator(System.out)) {
            Teller teller = new Teller(progress, json ? Optional.of(lines) : Optional.empty(), out);
            VerificationSummary verificationSummary;
            Optional<ExportStart> start = Optional.empty();
            if (file != null) {
                FileVerification.Result result = new FileVerification(trusted, stored, threads, teller).run(file);
                verificationSummary = result.found();
                start = result.start();
            } else {
                verificationSummary = inTopics(settings, trusted, stored, teller);
                if (verificationSummary.records() == 0 && !verificationSummary.isSound()) {
                    spec.commandLine()
                            .getErr()
                            .println("parley verify: no audit record could be read. Check whether "
                                    + settings.shownRegistryUrl() + " (" + ParleyConfig.REGISTRY_URL
                                    + ") is the registry of this cluster.");
                }
            }
            progress.close();
            if (json) {
                VerifyReport.json(verificationSummary, start, !trusted.isEmpty(), lines);
            } else {
                VerifyReport.print(verificationSummary, start, !trusted.isEmpty(), out);
            }
            return verificationSummary.isSound() ? 0 : FAULTY;
        } catch (IOException | RuntimeException e) {
            // A lost output says nothing of the trail.
            if (e instanceof ParameterException || StandardOutput.failure().isPresent()) {
                throw e;
            }
            spec.commandLine()
                    .getErr()
                    .println("parley verify: cannot verify the audit trail: "
                            + ControlCharacters.escape(ClusterErrors.describe(e, settings)));
            return FAILED;
        }
    }

    private VerificationSummary inTopics(
            ParleyConfig settings,
            HeadSignatureVerifier trusted,
            StoredManifests stored,
            ProgressListener progressListener)
            throws IOException {
        try (AvroSerdes serdes = AvroSerdes.fromConfig(settings.registrySettings());
                TopicVerification verification = new TopicVerification(
                        StreamsSettings.clientSettings(settings),
                        settings.topics(),
                        serdes,
                        InputTopics.of(settings).sources(),
                        settings.getString(ParleyConfig.APPLICATION_ID),
                        trusted,
                        progressListener)) {
            return verification.run(stored);
        }
    }

    private static String reason(Exception exception) {
        return exception instanceof IOException failed ? ErrorMessages.reason(failed) : exception.getMessage();
    }

    private StoredManifests stored() {
        if (since == null) {
            return StoredManifests.NONE;
        }
        try {
            return StoredManifests.read(since);
        } catch (IOException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--since " + since + ": " + reason(e), e);
        }
    }

    private List<PublicKey> publicKeys() {
        List<PublicKey> read = new ArrayList<>();
        for (Path key : keys) {
            try {
                read.add(KeyFiles.readPublic(key));
            } catch (IOException | IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), "--key " + key + ": " + reason(e), e);
            }
        }
        return read;
    }

    /** Prints faults as they are found. */
    private record Teller(Progress progress, Optional<JsonGenerator> lines, PrintWriter out)
            implements ProgressListener {

        @Override
        public void found(AuditFault auditFault) {
            if (lines.isEmpty()) {
                // The bar would overwrite the line.
                progress.close();
                out.println(ControlCharacters.escape((auditFault.code().isNotice() ? "notice: " : "") + auditFault));
                out.flush();
                return;
            }
            JsonGenerator json = lines.get();
            try {
                json.writeStartObject();
                json.writeStringField(
                        auditFault.code().isNotice() ? "notice" : "fault",
                        auditFault.code().name());
                if (!auditFault.location().equals(RecordLocation.NONE)) {
                    json.writeStringField("place", auditFault.location().toString());
                }
                if (!auditFault.chain().isEmpty()) {
                    json.writeStringField("chain", auditFault.chain());
                }
                if (auditFault.sequence() >= 0) {
                    json.writeNumberField("sequence", auditFault.sequence());
                }
                json.writeStringField("detail", auditFault.detail());
                JsonLines.end(json);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void progress(long done, long total) {
            progress.stepTo(done, total);
        }
    }
}
