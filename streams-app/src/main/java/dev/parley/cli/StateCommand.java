package dev.parley.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.avro.Profile;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.decode.RecordHeaders;
import dev.parley.dialogue.DialogueSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley state}: the state at a checkpoint, rebuilt from a transcript. */
@Command(
        name = "state",
        description =
                "Rebuilds the state of a CSP context at a checkpoint from a transcript: a JSON object, name to value.",
        footer = {
            "",
            "Exit status: 0; 1 when the transcript does not make that checkpoint; 2 when a line is no part of a transcript.",
            "",
            "Example:",
            "  parley state samples/csp-refactoring.jsonl auth-refactor C2"
        })
final class StateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--namespace",
            paramLabel = "N",
            defaultValue = RecordHeaders.DEFAULT_NAMESPACE,
            description = "Agent system of the context. Default: ${DEFAULT-VALUE}.")
    private String namespace;

    @Parameters(index = "0", paramLabel = "FILE", description = "The transcript; - for standard input.")
    private Path file;

    @Parameters(index = "1", paramLabel = "CONTEXT", description = "The context: the conversation of its CSP messages.")
    private String context;

    @Parameters(index = "2", paramLabel = "CHECKPOINT", description = "The checkpoint, for example C2.")
    private String checkpoint;

    @Override
    public Integer call() throws IOException {
        TranscriptRun run = new TranscriptRun(spec, Profile.LENIENT, DialogueSettings.DEFAULT);
        boolean whole = run.over(file, judged -> {});
        Optional<SortedMap<String, String>> state =
                run.checkpoints().state(new CheckpointKey(namespace, context, checkpoint));
        if (state.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("context " + context + " of namespace " + namespace + " has no checkpoint " + checkpoint
                            + " in " + file + "; parley judge " + file + " shows what became of each patch");
            return 1;
        }
        try (JsonGenerator json = JsonLines.generator(System.out)) {
            json.writeStartObject();
            for (Map.Entry<String, String> entry : state.get().entrySet()) {
                json.writeStringField(entry.getKey(), entry.getValue());
            }
            JsonLines.end(json);
        }
        return whole ? 0 : 2;
    }
}
