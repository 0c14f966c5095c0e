package dev.parley.cli.offline;

import dev.parley.cli.io.JsonLines;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley tree}: the checkpoints of a CSP context. */
@Command(
        name = "tree",
        description =
                "Shows the checkpoints of a CSP context in the order in which they were applied, each with its parent:"
                        + " one JSON object a line.",
        footer = {
            "",
            StateQueryOptions.STATUS,
            "",
            "Examples:",
            "  parley tree samples/csp-refactoring.jsonl auth-refactor",
            "  parley tree --url http://127.0.0.1:8080 auth-refactor --heads"
        })
public final class TreeCommand implements Callable<Integer> {
    @Mixin
    private StateQueryOptions question;

    @Option(names = "--heads", description = "Only those that no other was made from.")
    private boolean heads;

    @Override
    public Integer call() throws IOException {
        question.pages(
                "/checkpoints",
                Map.of(),
                (queries, cursor) -> queries.tree(question.conversation(), cursor, StateQueryOptions.PAGE),
                item -> {
                    if (!heads || item.path("head").asBoolean()) {
                        JsonLines.print(item);
                    }
                });
        return question.status();
    }
}
