package dev.parley.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.state.PointInTime;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley diff}: shows the differences between the states of a conversation at two moments. */
@Command(
        name = "diff",
        description = "Shows the differences between the states of a conversation at two moments, across forks too. "
                + OutputOptions.HELP,
        footer = {
            "",
            StateQueryOptions.MOMENTS,
            "",
            StateQueryOptions.STATUS,
            "",
            "Examples:",
            "  parley diff samples/csp-refactoring.jsonl auth-refactor --from checkpoint:C2",
            "  parley diff --url http://127.0.0.1:8080 auth-refactor --from checkpoint:C1"
        })
public final class DiffCommand implements Callable<Integer> {
    private static final List<Table.Column> COLUMNS = List.of(
            Table.Column.at("CHANGE", "/change"),
            Table.Column.at("ENTRY", "/entry"),
            Table.Column.of("BEFORE", line -> value(line, "old", "removed")),
            Table.Column.of("AFTER", line -> value(line, "new", "added")));

    @Mixin
    private StateQueryOptions query;

    @Mixin
    private OutputOptions output;

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
        PointInTime before = query.moment("--from", from);
        PointInTime after = query.moment("--to", to);
        JsonNode answer = query.ask(
                "/diff", Map.of("from", from, "to", to), queries -> queries.diff(query.conversation(), before, after));
        try (OutputOptions.Rows rows = output.rows(COLUMNS)) {
            for (String part : List.of("added", "changed", "removed")) {
                for (JsonNode item : answer.path(part)) {
                    ObjectNode line = JsonNodeFactory.instance.objectNode().put("change", part);
                    item.fields().forEachRemaining(field -> line.set(field.getKey(), field.getValue()));
                    rows.accept(line);
                }
            }
        }
        return query.status();
    }

    private static String value(JsonNode line, String key, String change) {
        return Table.Column.text(line.path(line.path("change").asText().equals(change) ? "value" : key));
    }
}
