package dev.parley.demo;

import dev.parley.cli.io.ApiClient;
import dev.parley.cli.io.Pages;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.state.Diff;
import dev.parley.json.model.state.State;
import dev.parley.logging.ControlCharacters;
import dev.parley.state.StateValue;
import java.io.PrintWriter;

/** Tables for {@code parley demo --verbose}: conversations, dead letters, a state, and its difference to the next. */
final class DemoTables {
    private static final String CONTEXT = "/v1/conversations/default/csp/auth-refactor";
    private static final String STATE = CONTEXT + "/state?at=checkpoint:C2";
    private static final String DIFFERENCE = CONTEXT + "/diff?from=checkpoint:C2&to=checkpoint:C3";
    private static final int NAME_WIDTH = 34;
    private static final int DETAIL_WIDTH = 78;

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
        out.printf(
                "%-9s %-8s %-" + NAME_WIDTH + "s %8s %8s %8s %11s%n",
                "namespace",
                "protocol",
                "conversation",
                "messages",
                "accepted",
                "rejected",
                "undecodable");
        new Pages<>(apiClient, "/v1/conversations?limit=1000", Conversation.class)
                .forEach(page -> page.items()
                        .forEach(row -> out.printf(
                                "%-9s %-8s %-" + NAME_WIDTH + "s %8d %8d %8d %11d%n",
                                ControlCharacters.escape(row.namespace()),
                                row.protocol(),
                                cut(row.conversation(), NAME_WIDTH),
                                row.messages(),
                                row.accepted(),
                                row.rejected(),
                                row.undecodable())));
    }

    private void deadLetters() {
        title("Dead letters");
        out.printf("%-8s %-38s %s%n", "stage", "code", "reason");
        new Pages<>(apiClient, "/v1/dead-letters?limit=1000", DeadLetter.class)
                .forEach(page -> page.items()
                        .forEach(row -> out.printf(
                                "%-8s %-38s %s%n",
                                row.stage(), row.code(), cut(String.valueOf(row.detail()), DETAIL_WIDTH))));
    }

    private void checkpoint() {
        title("State of context auth-refactor at checkpoint C2");
        StateValue.Fields definitions =
                (StateValue.Fields) apiClient.get(STATE, State.class).members().get("definitions");
        definitions
                .values()
                .forEach((name, value) -> out.printf(
                        "  %s = %s%n",
                        ControlCharacters.escape(name), ControlCharacters.escape(((StateValue.Text) value).text())));
        title("Difference from C2 to C3");
        Diff diff = apiClient.get(DIFFERENCE, Diff.class);
        diff.added()
                .forEach(row -> out.printf(
                        "  + %s = %s%n", ControlCharacters.escape(row.entry()), ControlCharacters.escape(row.value())));
        diff.changed()
                .forEach(row -> out.printf(
                        "  ~ %s: %s -> %s%n",
                        ControlCharacters.escape(row.entry()),
                        ControlCharacters.escape(row.before()),
                        ControlCharacters.escape(row.after())));
        diff.removed()
                .forEach(row -> out.printf(
                        "  - %s (was %s)%n",
                        ControlCharacters.escape(row.entry()), ControlCharacters.escape(row.value())));
    }

    private void title(String text) {
        out.println();
        out.println(text);
        out.println("-".repeat(text.length()));
    }

    private static String cut(String text, int width) {
        String line = ControlCharacters.escape(text.replace('\n', ' '));
        return line.length() <= width ? line : line.substring(0, width - 1) + "…";
    }
}
