package dev.parley.cli.offline;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.TranscriptRun;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley judge}: a transcript through decode, rules and patches, without a broker. */
@Command(
        name = "judge",
        description = "Judges a transcript offline: decode, dialogue rules, patches; one JSON verdict a line.",
        footer = {
            "",
            "A transcript is JSON lines: {\"key\":…,\"headers\":{…},\"wire\":…}; timestamp and topic may stand beside them.",
            "A patch that waits for its base prints PARKED, and once more with the same line when it is decided.",
            "Exit status: 0; 2 when a line is no part of a transcript.",
            "",
            "Example:",
            "  parley judge samples/csp-refactoring.jsonl"
        })
public final class JudgeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = "enforce",
            description = "enforce rejects what is illegal, observe flags it. Default: ${DEFAULT-VALUE}.")
    private String modeName;

    @Option(
            names = "--profile",
            paramLabel = "PROFILE",
            defaultValue = "lenient",
            description = "lenient or strict. Default: ${DEFAULT-VALUE}.")
    private String profileName;

    @Mixin
    private GlossOptions gloss;

    @Parameters(paramLabel = "FILE", description = "The transcript; - for standard input.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        DialogueSettings dialogue = new DialogueSettings(
                Options.mode(spec, modeName),
                DialogueSettings.DEFAULT.idleMillis(),
                DialogueSettings.DEFAULT.maxEntries());
        TranscriptRun run = new TranscriptRun(spec, Options.profile(spec, profileName), dialogue);
        OfflineGlosses glosses = new OfflineGlosses(gloss.glosses(), run.checkpoints());
        try (JsonGenerator json = JsonLines.generator(System.out)) {
            boolean whole = run.over(file, judged -> print(judged, glosses, json));
            return whole ? 0 : 2;
        }
    }

    private static void print(JudgedRecord judged, OfflineGlosses glosses, JsonGenerator json) {
        Outcome outcome = judged.outcome();
        try {
            json.writeStartObject();
            json.writeNumberField("line", judged.inbound().getSource().getOffset());
            if (outcome instanceof Outcome.Undecodable undecodable) {
                RecordDecodeResult.Undecodable fault = undecodable.fault();
                json.writeStringField("namespace", fault.namespace());
                json.writeStringField("protocol", fault.protocol().name());
                json.writeNullField("conversation");
                json.writeStringField("verdict", outcome.verdict().name());
                json.writeStringField("code", fault.code().name());
                json.writeNumberField("offset", fault.position());
                json.writeStringField("detail", fault.detail());
            } else {
                ConversationKey conversation = ConversationKey.parse(judged.chain());
                json.writeStringField("namespace", conversation.namespace());
                json.writeStringField("protocol", conversation.protocol());
                json.writeStringField("conversation", conversation.conversation());
                json.writeStringField(
                        "verdict",
                        judged.isParked() ? "PARKED" : outcome.verdict().name());
                json.writeStringField(
                        "code", outcome.code() == null ? null : outcome.code().name());
                String detail = outcome.failure().map(Outcome.Failure::detail).orElse(null);
                if (detail != null) {
                    json.writeStringField("detail", detail);
                }
            }
            JsonLines.codes(json, "warnings", outcome.warnings());
            json.writeStringField("rule", outcome.rule());
            json.writeStringField("gloss", glosses.of(outcome));
            JsonLines.end(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
