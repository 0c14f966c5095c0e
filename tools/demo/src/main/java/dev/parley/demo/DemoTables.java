package dev.parley.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.io.ApiClient;
import dev.parley.cli.io.Pages;
import dev.parley.logging.ControlCharacters;
import java.io.PrintWriter;
import java.util.Map;

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
        for (JsonNode page : new Pages(apiClient, "/v1/conversations?limit=1000")) {
            for (JsonNode row : page.path("items")) {
                out.printf(
                        "%-9s %-8s %-" + NAME_WIDTH + "s %8d %8d %8d %11d%n",
                        ControlCharacters.escape(row.path("namespace").asText()),
                        row.path("protocol").asText(),
                        cut(row.path("conversation").asText(), NAME_WIDTH),
                        row.path("messages").asLong(),
                        row.path("accepted").asLong(),
                        row.path("rejected").asLong(),
                        row.path("undecodable").asLong());
            }
        }
    }

    private void deadLetters() {
        title("Dead letters");
        out.printf("%-8s %-38s %s%n", "stage", "code", "reason");
        for (JsonNode page : new Pages(apiClient, "/v1/dead-letters?limit=1000")) {
            for (JsonNode row : page.path("items")) {
                out.printf(
                        "%-8s %-38s %s%n",
                        row.path("stage").asText(),
                        row.path("code").asText(),
                        cut(row.path("detail").asText(), DETAIL_WIDTH));
            }
        }
    }

    private void checkpoint() {
        title("State of context auth-refactor at checkpoint C2");
        for (Map.Entry<String, JsonNode> entry :
                apiClient.get(STATE).path("definitions").properties()) {
            out.printf(
                    "  %s = %s%n",
                    ControlCharacters.escape(entry.getKey()),
                    ControlCharacters.escape(entry.getValue().asText()));
        }
        title("Difference from C2 to C3");
        JsonNode diff = apiClient.get(DIFFERENCE);
        diff.path("added")
                .forEach(row -> out.printf(
                        "  + %s = %s%n",
                        ControlCharacters.escape(row.path("entry").asText()),
                        ControlCharacters.escape(row.path("value").asText())));
        diff.path("changed")
                .forEach(row -> out.printf(
                        "  ~ %s: %s -> %s%n",
                        ControlCharacters.escape(row.path("entry").asText()),
                        ControlCharacters.escape(row.path("old").asText()),
                        ControlCharacters.escape(row.path("new").asText())));
        diff.path("removed")
                .forEach(row -> out.printf(
                        "  - %s (was %s)%n",
                        ControlCharacters.escape(row.path("entry").asText()),
                        ControlCharacters.escape(row.path("value").asText())));
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
