package dev.parley.cli.offline;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Claims;
import dev.parley.avro.InboundFault;
import dev.parley.avro.Profile;
import dev.parley.avro.Rule;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.cli.io.UsageException;
import dev.parley.cli.transcript.TranscriptRun;
import dev.parley.codec.Code;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.ConversationKey;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judgement;
import dev.parley.protocol.Glosses;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.StageSettings;
import dev.parley.topology.pipeline.PipelineSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley judge}: judges a transcript without a broker, or compares its verdicts with the expected ones. */
@Command(
        name = "judge",
        description = "Judges a transcript without a broker: decoding, dialogue rules, patches. " + OutputOptions.HELP,
        footer = {
            "",
            "A transcript is JSON lines such as {\"key\":…,\"headers\":{…},\"wire\":…}; docs/cli.md lists the keys."
                    + " FILE may also be the log of mcpsnoop, or a HAR file with MCP over HTTP."
                    + " A parked patch is printed as PARKED, and again with its final verdict.",
            "",
            "Verdicts depend on the configuration of the deployment: pass it with --config.",
            "",
            "--check prints only the lines whose verdict is not the expected one. --format prints them for a CI system.",
            "",
            "Exit status: 0; 1 if --check or --format finds a difference; 2 if a line is not part of a transcript.",
            "",
            "Examples:",
            "  parley judge samples/csp-refactoring.jsonl",
            "  parley judge --check samples/csp-refactoring.jsonl",
            "  parley judge --check --fail-on rejected mine.jsonl",
            "  parley judge --format sarif mine.jsonl >mine.sarif"
        })
public final class JudgeCommand extends ConfigCommand {
    private static final List<Table.Column<Line>> COLUMNS = List.of(
            Table.Column.of("LINE", Line::line),
            Table.Column.of("CONVERSATION", Line::chain),
            Table.Column.of("VERDICT", Line::verdict),
            new Table.Column<>("CODES", line -> Cells.codes(line.code, null, line.warnings)),
            new Table.Column<>(
                    "MESSAGE",
                    line -> Stream.of(line.gloss, line.detail)
                            .filter(text -> text != null && !text.isBlank())
                            .toList()));

    /** A line of the output: a verdict. */
    private record Line(
            long line,
            String namespace,
            String protocol,
            String conversation,
            String verdict,
            Code code,
            @JsonInclude(JsonInclude.Include.NON_NULL) Integer offset,
            @JsonInclude(JsonInclude.Include.NON_NULL) String detail,
            List<Code> warnings,
            Rule rule,
            @JsonInclude(JsonInclude.Include.NON_NULL) Claims claims,
            String gloss) {
        static Line of(JudgedRecord judged, String gloss) {
            Judgement judgement = judged.judgement();
            InboundFault fault = judged.inbound().getFault();
            Claims claims = judged.claims();
            ConversationKey key = fault == null ? ConversationKey.parse(judged.chain()) : null;
            return new Line(
                    judged.inbound().getSource().getOffset(),
                    fault == null ? key.namespace() : claims == null ? null : claims.getNamespace(),
                    fault == null ? key.protocol() : judged.protocol().name(),
                    fault == null ? key.conversation() : null,
                    judged.isParked() ? "PARKED" : judgement.verdict().name(),
                    judgement.code(),
                    fault == null ? null : fault.getPosition(),
                    judgement.detail(),
                    judgement.warnings(),
                    judgement.rule(),
                    claims,
                    gloss);
        }

        private String chain() {
            return (namespace == null || namespace.equals(RecordHeaders.DEFAULT_NAMESPACE) ? "" : namespace + "|")
                    + protocol
                    + (conversation == null ? "" : "|" + conversation);
        }
    }

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "enforce rejects violations, observe flags them. Default: dialogue.mode.")
    private DialogueSettings.Mode mode;

    @Option(names = "--profile", paramLabel = "PROFILE", description = "lenient or strict. Default: decode.profile.")
    private Profile profile;

    @Option(
            names = "--check",
            description =
                    "Compares the verdicts with expect, expectCode, expectWarnings and expectParked of each line.")
    private boolean check;

    @Option(
            names = "--fail-on",
            paramLabel = "VERDICT",
            description = "rejected: with --check, a line without expectations must be ACCEPTED.")
    private String failOn;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            converter = CheckReport.Converter.class,
            description = "sarif or junit: a report of --check --fail-on rejected for a CI system.")
    private CheckReport format;

    @Mixin
    private OutputOptions output;

    @Mixin
    private GlossOptions gloss;

    @Parameters(paramLabel = "FILE", description = "The transcript; - for standard input.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        TranscriptRun run = new TranscriptRun(err(), stages());
        if (check || format != null) {
            return check(run);
        }
        if (failOn != null) {
            throw new UsageException("--fail-on requires --check");
        }
        Glosses glosses = gloss.glosses();
        try (OutputOptions.Rows<Line> rows = output.rows(COLUMNS)) {
            boolean whole = run.over(
                    file,
                    (number, line) -> {},
                    judged -> rows.accept(Line.of(judged, gloss(judged, glosses, run.checkpoints()))),
                    auditRecord -> {});
            return whole ? 0 : 2;
        }
    }

    /** The settings of the deployment, except for the options. */
    private StageSettings stages() {
        StageSettings settings = PipelineSettings.stages(settings());
        DialogueSettings dialogue = settings.dialogue();
        return settings.with(
                profile == null
                        ? settings.decode()
                        : new DecodeOptions(profile, settings.decode().limits()),
                mode == null ? dialogue : new DialogueSettings(mode, dialogue.idleMillis(), dialogue.maxEntries()));
    }

    private int check(TranscriptRun run) throws IOException {
        if (failOn != null && !failOn.equals("rejected")) {
            throw new UsageException("--fail-on must be rejected, but was '" + failOn + "'");
        }
        TranscriptCheck comparison = new TranscriptCheck(failOn != null || format != null);
        boolean whole = run.over(file, comparison::line, comparison::judged, auditRecord -> {});
        if (format == null) {
            comparison.differences().values().forEach(this::print);
        } else {
            format.print(out(), file, comparison);
        }
        int differences = comparison.differences().size();
        report(Counts.of(comparison.lines(), "line") + ", " + comparison.checked() + " checked, "
                + Counts.of(differences, "difference"));
        if (whole && comparison.checked() == 0) {
            throw new UsageException(
                    "no line of " + file + " has an expectation; add expect to its lines, or --fail-on rejected");
        }
        return !whole ? 2 : differences > 0 ? 1 : 0;
    }

    private void print(TranscriptCheck.Difference difference) {
        if (output.isJson()) {
            JsonLines.print(difference);
        } else {
            out().println(ControlCharacters.escape(file + ":" + difference));
        }
    }

    /**
     * The gloss of a message with the definitions in force; null for a record that is not a message. The definitions of
     * a Λ conversation are in its dialogue state, those of a CSP message in the checkpoint that it names as its
     * context.
     *
     * @param checkpoints the checkpoints that the transcript has made so far
     */
    private static String gloss(JudgedRecord judged, Glosses glosses, CheckpointReader checkpoints) {
        AgentMessage message = judged.message();
        if (message == null) {
            return null;
        }
        if (message.getCsp() == null) {
            return glosses.gloss(message, Glosses.definitions(judged.judgement().next()));
        }
        CheckpointKey context = new CheckpointKey(
                message.getNamespace(),
                message.getConversation(),
                message.getCsp().getCtx());
        return glosses.gloss(message, name -> checkpoints.value(context, name).orElse(null));
    }
}
