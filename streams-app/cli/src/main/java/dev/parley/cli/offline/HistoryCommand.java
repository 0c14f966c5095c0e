package dev.parley.cli.offline;

import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.json.model.state.History;
import dev.parley.json.model.state.StateResults;
import dev.parley.logging.ControlCharacters;
import dev.parley.state.PointInTime;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley history}: shows every change of an entry of a state. */
@Command(
        name = "history",
        description = "Shows every change of one entry of a state, the latest first. A null value is a removal. "
                + OutputOptions.HELP,
        footer = {
            "",
            "The history of a CSP definition covers the path from the checkpoint to the root.",
            StateQueryOptions.MOMENTS,
            "",
            StateQueryOptions.STATUS,
            "",
            "Examples:",
            "  parley history samples/csp-refactoring.jsonl auth-refactor --entry TOKEN_TTL",
            "  parley history --url http://127.0.0.1:8080 auth-refactor --entry TOKEN_TTL"
        })
public final class HistoryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    private static final List<Table.Column<History.Change>> COLUMNS = Stream.of(
                    Stream.of(Table.Column.of("VALUE", History.Change::value)),
                    Cells.origin(History.Change::by).stream(),
                    Stream.of(Table.Column.of("MESSAGE", History.Change::gloss)))
            .flatMap(columns -> columns)
            .toList();

    @Mixin
    private StateQueryOptions query;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--at",
            paramLabel = "MOMENT",
            defaultValue = "latest",
            description = "The moment. Default: ${DEFAULT-VALUE}.")
    private String at;

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
        query.use(gloss.glosses());
        PointInTime moment = query.moment("--at", at);
        long items;
        History last;
        try (OutputOptions.Rows<History.Change> rows = output.rows(COLUMNS)) {
            last = query.pages(
                    "/history",
                    Map.of("at", at, "entry", entry),
                    History.class,
                    (queries, cursor) -> StateResults.of(
                            queries.history(query.conversation(), entry, moment, cursor, StateQueryOptions.PAGE)),
                    rows);
            items = rows.count();
        }
        History.Pruned pruned = last.pruned();
        if (items == 0 && pruned == null) {
            throw query.unknownEntry(entry, at);
        }
        if (pruned != null) {
            spec.commandLine()
                    .getErr()
                    .println("parley history: earlier changes are unknown: checkpoint "
                            + ControlCharacters.escape(pruned.checkpoint()) + " was pruned at " + pruned.at());
        }
        return query.status();
    }
}
