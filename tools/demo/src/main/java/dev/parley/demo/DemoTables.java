package dev.parley.demo;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.Pages;
import dev.parley.cli.io.Table;
import dev.parley.cli.io.Terminal;
import dev.parley.codec.ControlCharacters;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.DeadLetter;
import dev.parley.state.StateAnswer.Diff;
import dev.parley.state.StateAnswer.State;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** Tables for {@code parley demo --verbose}: conversations, dead letters, a state, and its difference to the next. */
final class DemoTables {
    private static final String CONTEXT = "/v1/conversations/default/csp/auth-refactor";
    private static final String STATE = CONTEXT + "/state?at=checkpoint:C2";
    private static final String DIFFERENCE = CONTEXT + "/diff?from=checkpoint:C2&to=checkpoint:C3";

    private final ApiClient apiClient;
    private final PrintWriter out;

    DemoTables(ApiClient apiClient, PrintWriter out) {
        this.apiClient = apiClient;
        this.out = out;
    }

    void print() {
        conversations();
        deadLetters();
        checkpoint();
    }

    private void conversations() {
        title("Conversations");
        table(
                new ApiQuery("/v1/conversations?limit=1000"),
                Conversation.class,
                Table.Column.of("namespace", Conversation::namespace),
                Table.Column.of("protocol", Conversation::protocol),
                Table.Column.of("conversation", Conversation::conversation),
                Table.Column.of("messages", Conversation::messages),
                Table.Column.of("accepted", Conversation::accepted),
                Table.Column.of("rejected", Conversation::rejected),
                Table.Column.of("undecodable", Conversation::undecodable));
    }

    private void deadLetters() {
        title("Dead letters");
        table(
                new ApiQuery("/v1/dead-letters?limit=1000"),
                DeadLetter.class,
                Table.Column.of("stage", DeadLetter::stage),
                Table.Column.of("code", DeadLetter::code),
                Table.Column.of("reason", DeadLetter::detail));
    }

    @SafeVarargs
    private <T> void table(ApiQuery query, Class<T> item, Table.Column<T>... columns) {
        Table<T> table = new Table<>(out, Terminal.width(), false, List.of(columns));
        new Pages<>(apiClient, query, item).forEach(page -> page.items().forEach(table::add));
        table.flush();
    }

    private void checkpoint() {
        title("State of context auth-refactor at checkpoint C2");
        Map<?, ?> definitions =
                (Map<?, ?>) apiClient.get(STATE, State.class).members().get("definitions");
        definitions.forEach((name, value) -> line("  " + name + " = " + value));
        title("Difference from C2 to C3");
        Diff diff = apiClient.get(DIFFERENCE, Diff.class);
        diff.added().forEach(row -> line("  + " + row.entry() + " = " + row.value()));
        diff.changed().forEach(row -> line("  ~ " + row.entry() + ": " + row.before() + " -> " + row.after()));
        diff.removed().forEach(row -> line("  - " + row.entry() + " (was " + row.value() + ")"));
    }

    private void line(String text) {
        out.println(ControlCharacters.escape(text));
    }

    private void title(String text) {
        out.println();
        out.println(text);
        out.println("-".repeat(text.length()));
    }
}
