package dev.parley.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.logging.ControlCharacters;
import dev.parley.state.PointInTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley state}: shows the state of a conversation at a moment. */
@Command(
        name = "state",
        description =
                "Shows the state of a conversation at a moment: a table on a terminal, one JSON object elsewhere.",
        footer = {
            "",
            "CSP: definitions. SLIP: task board. SUBIT: form of each agent. Λ: definitions and agreements.",
            "",
            StateQueryOptions.MOMENTS,
            "",
            StateQueryOptions.STATUS,
            "",
            "Examples:",
            "  parley state samples/csp-refactoring.jsonl auth-refactor --at checkpoint:C2",
            "  parley state samples/slip-release.jsonl 1 --protocol slip --at turn:4",
            "  parley state --url http://127.0.0.1:8080 auth-refactor --at sequence:7"
        })
public final class StateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

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

    @Override
    public Integer call() throws IOException {
        PointInTime moment = query.moment("--at", at);
        JsonNode state = query.ask("/state", Map.of("at", at), queries -> queries.state(query.conversation(), moment));
        if (output.isTable()) {
            print(state);
        } else {
            JsonLines.print(state);
        }
        return query.status();
    }

    /** Prints a heading, and a table of each member that holds entries. */
    private void print(JsonNode state) {
        PrintWriter out = spec.commandLine().getOut();
        JsonNode asOf = state.path("asOf");
        out.println(ControlCharacters.escape(state.path("protocol").asText() + " conversation "
                + state.path("conversation").asText() + " at "
                + state.path("at").asText()
                + (asOf.has("sender") ? ", last set by " + asOf.path("sender").asText() : "")));
        if (state.path("redacted").asBoolean()) {
            out.println("Private messages are omitted.");
        }
        for (Map.Entry<String, JsonNode> member : state.properties()) {
            JsonNode entries = member.getValue();
            if (!entries.isContainerNode() || member.getKey().equals("asOf")) {
                continue;
            }
            out.println();
            Table table = output.table(columns(member.getKey(), entries));
            if (entries.isEmpty()) {
                out.println(ControlCharacters.escape("No " + member.getKey() + "."));
            } else if (entries.isArray()) {
                entries.forEach(table::add);
            } else {
                entries.properties()
                        .forEach(entry -> table.add(JsonNodeFactory.instance
                                .objectNode()
                                .put("entry", entry.getKey())
                                .set("value", entry.getValue())));
            }
            table.flush();
        }
    }

    private static List<Table.Column> columns(String member, JsonNode entries) {
        if (entries.isObject()) {
            return List.of(
                    Table.Column.at(member.toUpperCase(Locale.ROOT), "/entry"), Table.Column.at("VALUE", "/value"));
        }
        Set<String> keys = new LinkedHashSet<>();
        entries.forEach(entry -> entry.fieldNames().forEachRemaining(keys::add));
        return keys.stream()
                .map(key -> Table.Column.of(key.toUpperCase(Locale.ROOT), entry -> Table.Column.text(entry.path(key))))
                .toList();
    }
}
