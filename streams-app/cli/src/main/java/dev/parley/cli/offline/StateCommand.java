package dev.parley.cli.offline;

import dev.parley.audit.InputPosition;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.codec.ControlCharacters;
import dev.parley.json.ApiJson;
import dev.parley.state.CheckpointSummary;
import dev.parley.state.PointInTime;
import dev.parley.state.ShownEntry;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateAnswer.State;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parley state}: shows the state of a conversation at a moment. */
@Command(
        name = "state",
        description =
                "Shows the state of a conversation at a moment, or what all conversations had shown an agent. Prints a"
                        + " table on a terminal, and one JSON object for each conversation elsewhere.",
        footer = {
            "",
            "MCP: version, capabilities, tools, prompts and resources, open requests. CSP: definitions. SLIP: task board."
                    + " SUBIT: form of each agent. Λ: definitions and agreements.",
            "",
            StateQueryCommand.MOMENTS,
            "",
            "With --agent, MOMENT is latest or a time. The entries are those of the messages that the agent sent or that"
                    + " were addressed to it: docs/concepts.md.",
            "",
            StateQueryCommand.STATUS,
            "",
            "Examples:",
            "  parley state samples/csp-refactoring.jsonl auth-refactor --at checkpoint:C2",
            "  parley state samples/slip-release.jsonl 1 --protocol slip --at turn:4",
            "  parley state auth-refactor --at sequence:7",
            "  parley state samples/csp-refactoring.jsonl --agent CODER --at 2026-11-13"
        })
public final class StateCommand extends MomentCommand {
    private static final String ENTRY = "entry";
    private static final String OMITTED = "Redacted and private messages are omitted.";

    /** An entry that a conversation had shown the agent. */
    private record Row(StateAnswer.Knowledge conversation, ShownEntry entry) {}

    private static final List<Table.Column<Row>> ROWS = List.of(
            Table.Column.of(
                    "CONVERSATION",
                    row -> row.conversation().protocol()
                            + ' '
                            + row.conversation().conversation()),
            Table.Column.of("ENTRY", row -> row.entry().entry()),
            Table.Column.of("VALUE", row -> row.entry().value()),
            Table.Column.of("AT", row -> row.entry().checkpoint()),
            Table.Column.of(
                    "SHOWN BY", row -> InputPosition.of(row.entry().shownBy().source())),
            Table.Column.of(
                    "TIME", row -> Cells.seconds(row.entry().shownBy().source().getTimestamp())));

    @Option(
            names = "--agent",
            paramLabel = "A",
            description = "Shows what the conversations of the namespace had shown this agent.")
    private String agent;

    @Override
    public Integer call() throws IOException {
        if (agent != null) {
            return knowledge();
        }
        PointInTime moment = moment();
        State state = ask(
                "/state",
                Map.of("at", moment.toString()),
                State.class,
                queries -> queries.state(conversation(), moment));
        if (!state.otherHeads().isEmpty()) {
            report("the context has branches; other heads are " + String.join(", ", state.otherHeads())
                    + " (parley tree --heads lists all)");
        }
        if (output().isTable()) {
            print(state);
        } else {
            JsonLines.print(state);
        }
        return status();
    }

    private int knowledge() throws IOException {
        if (!output().isTable()) {
            try (JsonLines lines = new JsonLines()) {
                knowledge(agent, at(), lines::write);
            }
            return status();
        }
        Set<String> notes = new LinkedHashSet<>();
        try (OutputOptions.Rows<Row> rows = output().rows(ROWS)) {
            knowledge(agent, at(), conversation -> {
                conversation.entries().forEach(entry -> rows.accept(new Row(conversation, entry)));
                if (conversation.redacted()) {
                    notes.add(OMITTED);
                }
                if (conversation.partial()) {
                    notes.add("Entries may be missing, because messages or checkpoints were pruned or are too large.");
                }
            });
        }
        notes.forEach(out()::println);
        return status();
    }

    /** Prints a heading, and a table of each member that holds entries. */
    private void print(State state) {
        PrintWriter out = out();
        String sender = state.asOf() == null ? null : state.asOf().sender();
        String checkpoint =
                state.asOf() instanceof CheckpointSummary at && !state.at().equals("checkpoint:" + at.id())
                        ? ", checkpoint " + at.id()
                        : "";
        out.println(ControlCharacters.escape(state.protocol() + " conversation " + state.conversation() + " at "
                + state.at() + checkpoint + (sender == null ? "" : ", last set by " + sender)));
        if (state.redacted()) {
            out.println(OMITTED);
        }
        state.members().forEach((name, value) -> {
            out.println();
            List<Map<String, Object>> rows = rows(value);
            if (rows.isEmpty()) {
                out.println(ControlCharacters.escape("No " + name + "."));
                return;
            }
            Set<String> keys = new LinkedHashSet<>();
            rows.forEach(row -> keys.addAll(row.keySet()));
            String first = value instanceof Map ? name : ENTRY;
            printTable(
                    rows,
                    keys.stream()
                            .map(key -> Table.Column.<Map<String, Object>>of(
                                    (key.equals(ENTRY) ? first : key).toUpperCase(Locale.ROOT),
                                    row -> text(row.get(key))))
                            .toList());
        });
    }

    /** The rows of a table: one for each entry, or for each item. */
    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rows(Object value) {
        if (value instanceof List<?> items) {
            return (List<Map<String, Object>>) items;
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        ((Map<String, Object>) value).forEach((name, entry) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put(ENTRY, name);
            row.put("value", entry);
            rows.add(row);
        });
        return rows;
    }

    private static Object text(Object value) {
        return value == null || value instanceof String || value instanceof Long ? value : ApiJson.text(value);
    }
}
