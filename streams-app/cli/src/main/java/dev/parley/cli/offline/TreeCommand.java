package dev.parley.cli.offline;

import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.json.model.state.Checkpoint;
import dev.parley.json.model.state.CheckpointTree;
import dev.parley.json.model.state.StateResults;
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
    private static final List<Table.Column<Checkpoint>> COLUMNS = List.of(
            Table.Column.of("CHECKPOINT", Checkpoint::id),
            Table.Column.of("PARENT", Checkpoint::parent),
            Table.Column.of("PATCH", Checkpoint::patch),
            Table.Column.of("BY", Checkpoint::sender),
            Table.Column.of("OPERATIONS", Checkpoint::operationCount),
            Table.Column.of("TIME", checkpoint -> Cells.seconds(checkpoint.time())),
            Table.Column.of("", TreeCommand::mark));

    @Mixin
    private StateQueryOptions query;

    @Mixin
    private OutputOptions output;

    @Option(names = "--heads", description = "Shows only branch heads: checkpoints without children.")
    private boolean heads;

    @Override
    public Integer call() throws IOException {
        try (OutputOptions.Rows<Checkpoint> rows = output.rows(COLUMNS)) {
            query.pages(
                    "/checkpoints",
                    Map.of(),
                    CheckpointTree.class,
                    (queries, cursor) ->
                            StateResults.of(queries.tree(query.conversation(), cursor, StateQueryOptions.PAGE)),
                    item -> {
                        if (!heads || item.head()) {
                            rows.accept(item);
                        }
                    });
        }
        return query.status();
    }

    private static String mark(Checkpoint checkpoint) {
        return checkpoint.head() ? "head" : checkpoint.prunedAt() != null ? "pruned" : "";
    }
}
