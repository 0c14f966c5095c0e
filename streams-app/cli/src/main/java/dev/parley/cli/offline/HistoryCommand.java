package dev.parley.cli.offline;

import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.state.EntryChange;
import dev.parley.state.PointInTime;
import dev.parley.state.StateAnswer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley history}: shows every change of an entry of a state. */
@Command(
        name = "history",
        description = "Shows every change of one entry of a state, the latest first. A null value is a removal. "
                + OutputOptions.HELP,
        footer = {
            "",
            "The history of a CSP definition covers the path from the checkpoint to the root.",
            StateQueryCommand.MOMENTS,
            "",
            StateQueryCommand.STATUS,
            "",
            "Examples:",
            "  parley history samples/csp-refactoring.jsonl auth-refactor --entry TOKEN_TTL",
            "  parley history auth-refactor --entry TOKEN_TTL"
        })
public final class HistoryCommand extends MomentCommand {
    private static final List<Table.Column<EntryChange>> COLUMNS = Stream.of(
                    Stream.of(Table.Column.of("VALUE", EntryChange::value)),
                    Cells.origin(EntryChange::by).stream(),
                    Stream.of(Table.Column.of("MESSAGE", EntryChange::gloss)))
            .flatMap(columns -> columns)
            .toList();

    @Option(
            names = "--entry",
            paramLabel = "NAME",
            required = true,
            description = "The entry, as parley blame names it.")
    private String entry;

    @Mixin
    private GlossOptions gloss;

    @Override
    public Integer call() throws IOException {
        use(gloss.glosses());
        PointInTime moment = moment();
        long items;
        StateAnswer.History last;
        try (OutputOptions.Rows<EntryChange> rows = output().rows(COLUMNS)) {
            last = pages(
                    "/history",
                    Map.of("at", moment.toString(), "entry", entry),
                    StateAnswer.History.class,
                    (queries, cursor) -> queries.history(conversation(), entry, moment, cursor, PAGE),
                    rows);
            items = rows.count();
        }
        StateAnswer.Pruned pruned = last.pruned();
        if (items == 0 && pruned == null) {
            throw unknownEntry(entry, moment);
        }
        if (pruned != null) {
            report("earlier changes are unknown: checkpoint " + pruned.checkpoint() + " was pruned at " + pruned.at());
        }
        return status();
    }
}
