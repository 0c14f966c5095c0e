package dev.parley.cli.offline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.state.PointInTime;
import dev.parley.state.StateAnswer.Diff;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley diff}: shows the differences between the states of a conversation at two moments. */
@Command(
        name = "diff",
        description = "Shows the differences between the states of a conversation at two moments, across forks too. "
                + OutputOptions.HELP,
        footer = {
            "",
            StateQueryCommand.MOMENTS,
            "",
            StateQueryCommand.STATUS,
            "",
            "Examples:",
            "  parley diff samples/csp-refactoring.jsonl auth-refactor --from checkpoint:C2",
            "  parley diff auth-refactor --from checkpoint:C1"
        })
public final class DiffCommand extends StateQueryCommand {
    private static final List<Table.Column<Line>> COLUMNS = List.of(
            Table.Column.of("CHANGE", Line::change),
            Table.Column.of("ENTRY", Line::entry),
            Table.Column.of("BEFORE", line -> line.change.equals("removed") ? line.value : line.before),
            Table.Column.of("AFTER", line -> line.change.equals("added") ? line.value : line.after));

    /** A line of the output: a value that was added or removed, or two different ones. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Line(
            String change,
            String entry,
            String value,
            @JsonProperty("old") String before,
            @JsonProperty("new") String after) {}

    @Option(names = "--from", paramLabel = "MOMENT", required = true, description = "The first moment.")
    private String from;

    @Option(
            names = "--to",
            paramLabel = "MOMENT",
            defaultValue = "latest",
            description = "The second moment. Default: ${DEFAULT-VALUE}.")
    private String to;

    @Override
    public Integer call() throws IOException {
        PointInTime before = moment("--from", from);
        PointInTime after = moment("--to", to);
        Diff diff = ask(
                "/diff",
                Map.of("from", before.toString(), "to", after.toString()),
                Diff.class,
                queries -> queries.diff(conversation(), before, after));
        try (OutputOptions.Rows<Line> rows = output().rows(COLUMNS)) {
            diff.added().forEach(item -> rows.accept(new Line("added", item.entry(), item.value(), null, null)));
            diff.changed()
                    .forEach(item -> rows.accept(new Line("changed", item.entry(), null, item.before(), item.after())));
            diff.removed().forEach(item -> rows.accept(new Line("removed", item.entry(), item.value(), null, null)));
        }
        return status();
    }
}
