package dev.parley.cli.offline;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.Claims;
import dev.parley.avro.InboundFault;
import dev.parley.cli.io.ConfigOptions;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.cli.io.TranscriptRun;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.RecordHeaders;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judgement;
import dev.parley.json.AvroJson;
import dev.parley.logging.ControlCharacters;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.StageSettings;
import dev.parley.topology.pipeline.PipelineSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley judge}: judges a transcript without a broker, or compares its verdicts with the expected ones. */
@Command(
        name = "judge",
        description = "Judges a transcript without a broker: decoding, dialogue rules, patches. " + OutputOptions.HELP,
        footer = {
            "",
            "A transcript is JSON lines such as {\"key\":…,\"headers\":{…},\"wire\":…}; docs/cli.md lists the keys."
                    + " A parked patch is printed as PARKED, and again with its final verdict.",
            "",
            "Verdicts depend on the configuration of the deployment: pass it with --config.",
            "",
            "--check prints only the lines whose verdict is not the expected one.",
            "",
            "Exit status: 0; 1 if --check finds a difference; 2 if a line is not part of a transcript.",
            "",
            "Examples:",
            "  parley judge samples/csp-refactoring.jsonl",
            "  parley judge --check samples/csp-refactoring.jsonl",
            "  parley judge --check --fail-on rejected mine.jsonl"
        })
public final class JudgeCommand implements Callable<Integer> {
    private static final List<Table.Column<JsonNode>> COLUMNS = List.of(
            Table.Column.at("LINE", "/line"),
            Table.Column.of("CONVERSATION", JudgeCommand::conversation),
            Table.Column.at("VERDICT", "/verdict"),
            new Table.Column<>("CODES", Cells::codes),
            new Table.Column<>("MESSAGE", line -> Cells.texts(line, "gloss", "detail")));

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "enforce rejects violations, observe flags them. Default: dialogue.mode.")
    private String modeName;

    @Option(names = "--profile", paramLabel = "PROFILE", description = "lenient or strict. Default: decode.profile.")
    private String profileName;

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

    @Mixin
    private ConfigOptions config;

    @Mixin
    private OutputOptions output;

    @Mixin
    private GlossOptions gloss;

    @Parameters(paramLabel = "FILE", description = "The transcript; - for standard input.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        TranscriptRun run = new TranscriptRun(spec, settings());
        if (check) {
            return check(run);
        }
        if (failOn != null) {
            throw new ParameterException(spec.commandLine(), "--fail-on requires --check");
        }
        OfflineGlosses glosses = new OfflineGlosses(gloss.glosses(), run.checkpoints());
        try (JsonGenerator json = JsonLines.generator(output.stream(COLUMNS))) {
            boolean whole = run.over(file, judged -> print(judged, glosses, json));
            return whole ? 0 : 2;
        }
    }

    /** The settings of the deployment, except for the options. */
    private StageSettings settings() {
        StageSettings settings = PipelineSettings.stages(config.read(spec));
        DialogueSettings dialogue = settings.dialogue();
        return settings.with(
                profileName == null
                        ? settings.decode()
                        : new DecodeOptions(
                                Options.profile(spec, profileName),
                                settings.decode().limits()),
                modeName == null
                        ? dialogue
                        : new DialogueSettings(
                                Options.mode(spec, modeName), dialogue.idleMillis(), dialogue.maxEntries()));
    }

    private int check(TranscriptRun run) throws IOException {
        if (failOn != null && !failOn.equals("rejected")) {
            throw new ParameterException(spec.commandLine(), "--fail-on must be rejected, but was '" + failOn + "'");
        }
        TranscriptCheck comparison = new TranscriptCheck(failOn != null);
        boolean whole = run.over(file, comparison::line, comparison::judged, auditRecord -> {});
        PrintWriter out = spec.commandLine().getOut();
        for (TranscriptCheck.Difference difference : comparison.differences().values()) {
            if (output.isJson()) {
                JsonLines.print(difference.json());
            } else {
                out.println(ControlCharacters.escape(file + ":" + difference));
            }
        }
        out.flush();
        int differences = comparison.differences().size();
        spec.commandLine()
                .getErr()
                .println("parley judge: " + Counts.of(comparison.lines(), "line") + ", " + comparison.checked()
                        + " checked, " + Counts.of(differences, "difference"));
        if (whole && comparison.checked() == 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no line of " + file + " has an expectation; add expect to its lines, or --fail-on rejected");
        }
        return !whole ? 2 : differences > 0 ? 1 : 0;
    }

    private static String conversation(JsonNode line) {
        String namespace = line.path("namespace").asText();
        return (namespace.equals(RecordHeaders.DEFAULT_NAMESPACE) ? "" : namespace + "|")
                + line.path("protocol").asText()
                + (line.path("conversation").isNull()
                        ? ""
                        : "|" + line.path("conversation").asText());
    }

    private static void print(JudgedRecord judged, OfflineGlosses glosses, JsonGenerator json) {
        Judgement judgement = judged.judgement();
        InboundFault fault = judged.inbound().getFault();
        try {
            json.writeStartObject();
            json.writeNumberField("line", judged.inbound().getSource().getOffset());
            if (fault != null) {
                Claims claims = judged.claims();
                json.writeStringField("namespace", claims == null ? null : claims.getNamespace());
                json.writeStringField("protocol", judged.protocol().name());
                json.writeNullField("conversation");
            } else {
                ConversationKey conversation = ConversationKey.parse(judged.chain());
                json.writeStringField("namespace", conversation.namespace());
                json.writeStringField("protocol", conversation.protocol());
                json.writeStringField("conversation", conversation.conversation());
            }
            json.writeStringField(
                    "verdict",
                    judged.isParked() ? "PARKED" : judgement.verdict().name());
            json.writeStringField(
                    "code", judgement.code() == null ? null : judgement.code().name());
            if (fault != null) {
                json.writeNumberField("offset", fault.getPosition());
            }
            if (judgement.detail() != null) {
                json.writeStringField("detail", judgement.detail());
            }
            JsonLines.codes(json, "warnings", judgement.warnings());
            json.writeFieldName("rule");
            AvroJson.writeValue(json, judgement.rule());
            json.writeStringField("gloss", glosses.of(judged));
            JsonLines.end(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
