package dev.parley.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley tree}: shows the checkpoints of a CSP context. */
@Command(
        name = "tree",
        description = "Shows the checkpoints of a CSP context in the order of application, each with its parent. "
                + OutputOptions.HELP,
        footer = {
            "",
            StateQueryOptions.STATUS,
            "",
            "Examples:",
            "  parley tree samples/csp-refactoring.jsonl auth-refactor",
            "  parley tree --url http://127.0.0.1:8080 auth-refactor --heads"
        })
public final class TreeCommand implements Callable<Integer> {
    private static final List<Table.Column> COLUMNS = List.of(
            Table.Column.at("CHECKPOINT", "/id"),
            Table.Column.at("PARENT", "/parent"),
            Table.Column.at("PATCH", "/patch"),
            Table.Column.at("BY", "/sender"),
            Table.Column.at("OPERATIONS", "/operationCount"),
            Cells.time("/time"),
            Table.Column.of("", TreeCommand::mark));

    @Mixin
    private StateQueryOptions query;

    @Mixin
    private OutputOptions output;

    @Option(names = "--heads", description = "Shows only branch heads: checkpoints without children.")
    private boolean heads;

    @Override
    public Integer call() throws IOException {
        try (OutputOptions.Rows rows = output.rows(COLUMNS)) {
            query.pages(
                    "/checkpoints",
                    Map.of(),
                    (queries, cursor) -> queries.tree(query.conversation(), cursor, StateQueryOptions.PAGE),
                    item -> {
                        if (!heads || item.path("head").asBoolean()) {
                            rows.accept(item);
                        }
                    });
        }
        return query.status();
    }

    private static String mark(JsonNode checkpoint) {
        return checkpoint.path("head").asBoolean() ? "head" : checkpoint.hasNonNull("prunedAt") ? "pruned" : "";
    }
}
