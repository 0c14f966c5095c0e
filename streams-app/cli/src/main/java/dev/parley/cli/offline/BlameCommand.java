package dev.parley.cli.offline;

import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.state.PointInTime;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateEntry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley blame}: shows which message set each entry of a state. */
@Command(
        name = "blame",
        description = "Shows which message set each entry of a state. " + OutputOptions.HELP,
        footer = {
            "",
            StateQueryCommand.MOMENTS,
            "",
            StateQueryCommand.STATUS,
            "",
            "Examples:",
            "  parley blame samples/csp-refactoring.jsonl auth-refactor",
            "  parley blame samples/slip-release.jsonl 1 --protocol slip --entry task/1/tag",
            "  parley blame auth-refactor --at checkpoint:C2"
        })
public final class BlameCommand extends MomentCommand {
    private static final List<Table.Column<StateEntry>> COLUMNS = Stream.concat(
                    Stream.of(Table.Column.of("ENTRY", StateEntry::entry), Table.Column.of("VALUE", StateEntry::value)),
                    Cells.origin(StateEntry::by).stream())
            .toList();

    @Option(names = "--entry", paramLabel = "NAME", description = "Shows only this entry.")
    private String entry;

    @Override
    public Integer call() throws IOException {
        PointInTime moment = moment();
        long items;
        try (OutputOptions.Rows<StateEntry> rows = output().rows(COLUMNS)) {
            pages(
                    "/blame",
                    entry == null ? Map.of("at", moment.toString()) : Map.of("at", moment.toString(), "entry", entry),
                    StateAnswer.Blame.class,
                    (queries, cursor) -> queries.blame(
                            conversation(), moment, name -> entry == null || name.equals(entry), cursor, PAGE),
                    rows);
            items = rows.count();
        }
        if (entry != null && items == 0) {
            throw unknownEntry(entry, moment);
        }
        return status();
    }
}
