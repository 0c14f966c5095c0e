package dev.parley.cli.offline;

import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.state.CheckpointSummary;
import dev.parley.state.StateAnswer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley tree}: shows the checkpoints of a CSP context. */
@Command(
        name = "tree",
        description = "Shows the checkpoints of a CSP context in the order of application, each with its parent. "
                + OutputOptions.HELP,
        footer = {
            "",
            StateQueryCommand.STATUS,
            "",
            "Examples:",
            "  parley tree samples/csp-refactoring.jsonl auth-refactor",
            "  parley tree auth-refactor --heads"
        })
public final class TreeCommand extends StateQueryCommand {
    private static final List<Table.Column<CheckpointSummary>> COLUMNS = List.of(
            Table.Column.of("CHECKPOINT", CheckpointSummary::id),
            Table.Column.of("PARENT", CheckpointSummary::parent),
            Table.Column.of("PATCH", CheckpointSummary::patch),
            Table.Column.of("BY", CheckpointSummary::sender),
            Table.Column.of("OPERATIONS", CheckpointSummary::operationCount),
            Table.Column.of("TIME", checkpoint -> Cells.seconds(checkpoint.time())),
            Table.Column.of("", TreeCommand::mark));

    @Option(names = "--heads", description = "Shows only branch heads: checkpoints without children.")
    private boolean heads;

    @Override
    public Integer call() throws IOException {
        try (OutputOptions.Rows<CheckpointSummary> rows = output().rows(COLUMNS)) {
            pages(
                    "/checkpoints",
                    Map.of(),
                    StateAnswer.Tree.class,
                    (queries, cursor) -> queries.tree(conversation(), cursor, PAGE),
                    item -> {
                        if (!heads || item.head()) {
                            rows.accept(item);
                        }
                    });
        }
        return status();
    }

    private static String mark(CheckpointSummary checkpoint) {
        return checkpoint.head() ? "head" : checkpoint.prunedAt() != null ? "pruned" : "";
    }
}
