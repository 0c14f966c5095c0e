package dev.parley.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.export.FaultPrinter;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.KeyOptions;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.Progress;
import dev.parley.cli.io.StandardOutput;
import dev.parley.cli.io.UsageException;
import dev.parley.cli.io.WitnessOptions;
import dev.parley.cli.verify.AuditedPipeline;
import dev.parley.cli.verify.StateComparison;
import dev.parley.cli.verify.TopicVerification;
import dev.parley.log.AuditFault;
import dev.parley.log.FaultCode;
import dev.parley.log.LogNoteReader;
import dev.parley.log.TrustedKey;
import dev.parley.log.export.ProgressListener;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.log.verify.FileVerification;
import dev.parley.log.verify.StoredHeads;
import dev.parley.log.verify.VerificationSummary;
import dev.parley.log.verify.VerifyReport;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.pipeline.PipelineSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley verify}: verifies the audit trail. */
@Command(
        name = "verify",
        description = "Verifies the audit trail: in the topics, or in an export.",
        footer = {
            "",
            "Recomputes every hash of every record, chain and log, compares the published heads, and, in the topics,"
                    + " checks that every input record is in a chain exactly once, with its payload. With --since, it"
                    + " also checks that the trail continues heads stored elsewhere. Each fault has a code and a"
                    + " location; docs/audit.md explains the codes.",
            "Without --key, signatures are not checked: such a verification does not show that the trail was not"
                    + " recomputed.",
            "Exit status: 0 without faults; 1 with faults; 2 if the trail could not be verified.",
            "",
            "Examples:",
            "  parley verify --set bootstrap.servers=localhost:9092 --key audit.vkey",
            "  parley verify export.jsonl --key audit.vkey --since heads.jsonl",
            "  parley verify --config parley.properties --key audit.vkey --states"
        })
final class VerifyCommand extends ConfigCommand {
    private static final int FAULTY = 1;
    private static final int FAILED = 2;
    private static final int MAX_THREADS = 64;

    @Mixin
    private KeyOptions keys;

    @Mixin
    private WitnessOptions witnesses;

    @Option(
            names = "--since",
            paramLabel = "FILE",
            description =
                    "Heads stored elsewhere: output of parley heads, a note, or an export. The trail must continue them. In"
                            + " a partial export, a hash of omitted records that spans the size of one is a fault, too.")
    private Path since;

    @Option(
            names = "--accept-expired-before",
            paramLabel = "FILE",
            description = "Heads, as for --since. Accepts that records before them are missing: they have expired.")
    private Path expired;

    @Option(
            names = "--accept-open-end",
            description =
                    "Accepts an exported chain whose end no statement proves (parley export --sign), so that later"
                            + " records may be missing.")
    private boolean openEnd;

    @Option(
            names = "--states",
            description =
                    "Also recomputes the states of all conversations, and compares them with those that the HTTP API of"
                            + " the deployment returns; with an auditor's token. Pass its configuration with --config.")
    private boolean states;

    @Mixin
    private ApiOptions api;

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
            throw new UsageException("--threads must be an integer from 1 to " + MAX_THREADS + ", but was " + threads);
        }
        List<TrustedKey> trusted = keys.read();
        WitnessPolicy policy = witnesses.read();
        if (policy.quorum() > 0 && trusted.isEmpty()) {
            throw new UsageException("--witness requires --key: witnesses do not cosign the statement of the logs");
        }
        LogNoteReader notes = new LogNoteReader(policy, trusted);
        if (file != null) {
            if (states) {
                throw new UsageException("--states must be used without FILE: it compares the topics with the API");
            }
            Options.requireFile(file);
            if (!Files.isRegularFile(file)) {
                throw new UsageException(file + " must be a regular file, because it is read twice; save it first");
            }
        }
        StoredHeads stored = stored("--since", since);
        StoredHeads accepted = stored("--accept-expired-before", expired);
        try (Progress progress = Progress.of("verify");
                JsonLines lines = new JsonLines()) {
            ProgressListener listener = json ? new LineWriter(progress, lines) : new FaultPrinter(out(), progress);
            VerifyReport report;
            if (file != null) {
                report = new FileVerification(notes, stored, accepted, threads, listener)
                        .acceptOpenEnd(openEnd)
                        .run(file);
            } else {
                VerificationSummary summary = inTopics(connected(), notes, stored, accepted, listener);
                report = new VerifyReport(summary, !trusted.isEmpty(), null, null);
                if (summary.records() == 0 && !summary.isSound()) {
                    report("no audit record could be read. Check whether "
                            + settings().shownRegistryUrl() + " (" + ParleyConfig.REGISTRY_URL
                            + ") is the registry of this cluster.");
                }
            }
            progress.close();
            if (json) {
                lines.write(report);
            } else {
                report.print(out());
            }
            return report.summary().isSound() ? 0 : FAULTY;
        } catch (IOException | RuntimeException e) {
            // A lost output says nothing of the trail.
            if (e instanceof UsageException || StandardOutput.failure().isPresent()) {
                throw e;
            }
            report("cannot verify the audit trail: " + describe(e));
            return FAILED;
        }
    }

    private VerificationSummary inTopics(
            ParleyConfig settings,
            LogNoteReader notes,
            StoredHeads stored,
            StoredHeads accepted,
            ProgressListener progressListener)
            throws IOException {
        try (AvroSerdes serdes = AvroSerdes.fromConfig(settings.registrySettings());
                TopicVerification verification = new TopicVerification(
                        StreamsSettings.clientSettings(settings),
                        settings.topics(),
                        serdes,
                        AuditedPipeline.of(settings),
                        notes,
                        InstantSource.system(),
                        progressListener)) {
            Optional<StateComparison> check = states
                    ? Optional.of(new StateComparison(api.client(), PipelineSettings.stages(settings)))
                    : Optional.empty();
            return verification.run(stored, accepted, check);
        }
    }

    private static StoredHeads stored(String option, Path file) {
        if (file == null) {
            return StoredHeads.NONE;
        }
        try {
            return StoredHeads.read(file);
        } catch (IOException | IllegalArgumentException e) {
            String reason = e instanceof IOException failed ? ErrorMessages.reason(failed) : e.getMessage();
            throw new UsageException(option + " " + file + ": " + reason, e);
        }
    }

    /** A fault or a notice; keys without a value are omitted. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record Line(FaultCode notice, FaultCode fault, String place, String chain, Long sequence, String detail) {
        static Line of(AuditFault fault) {
            boolean notice = fault.code().isNotice();
            return new Line(
                    notice ? fault.code() : null,
                    notice ? null : fault.code(),
                    fault.location().toString(),
                    fault.chain(),
                    fault.sequence() < 0 ? null : fault.sequence(),
                    fault.detail());
        }
    }

    /** Writes faults as JSON. */
    private record LineWriter(Progress bar, JsonLines lines) implements ProgressListener {
        @Override
        public void found(AuditFault fault) {
            lines.write(Line.of(fault));
        }

        @Override
        public void progress(long done, long total) {
            bar.stepTo(done, total);
        }
    }
}
