package dev.parley.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.cli.io.JsonLines;
import dev.parley.state.PointInTime;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley diff}: how a conversation's state at one moment differs from that at another. */
@Command(
        name = "diff",
        description =
                "Shows how the state of a conversation differs between two moments, across forks too: one JSON object"
                        + " for each entry.",
        footer = {
            "",
            StateQueryOptions.MOMENTS,
            StateQueryOptions.OFFSETS,
            StateQueryOptions.STATUS,
            "",
            "Examples:",
            "  parley diff samples/csp-refactoring.jsonl auth-refactor --from checkpoint:C2 --to checkpoint:C3",
            "  parley diff --url http://127.0.0.1:8080 auth-refactor --from checkpoint:C1"
        })
public final class DiffCommand implements Callable<Integer> {
    @Mixin
    private StateQueryOptions question;

    @Option(names = "--from", paramLabel = "MOMENT", required = true, description = "The moment before.")
    private String from;

    @Option(
            names = "--to",
            paramLabel = "MOMENT",
            defaultValue = "latest",
            description = "The moment after. Default: ${DEFAULT-VALUE}.")
    private String to;

    @Override
    public Integer call() throws IOException {
        PointInTime before = question.moment("--from", from);
        PointInTime after = question.moment("--to", to);
        JsonNode answer = question.ask(
                "/diff",
                Map.of("from", from, "to", to),
                queries -> queries.diff(question.conversation(), before, after));
        for (String part : List.of("added", "changed", "removed")) {
            for (JsonNode item : answer.path(part)) {
                ObjectNode line = JsonNodeFactory.instance.objectNode().put("change", part);
                line.setAll((ObjectNode) item);
                JsonLines.print(line);
            }
        }
        return question.status();
    }
}
