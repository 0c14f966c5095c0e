package dev.parley.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley tree}: the checkpoints of a CSP context. */
@Command(
        name = "tree",
        description =
                "Shows the checkpoints of a CSP context in the order in which they were applied, each with its parent:"
                        + " one JSON object a line.",
        footer = {
            "",
            "Exit status: 0; 1 when there is no such conversation or moment; 2 when a line is no part of a transcript.",
            "",
            "Examples:",
            "  parley tree samples/csp-refactoring.jsonl auth-refactor",
            "  parley tree --url http://127.0.0.1:8080 auth-refactor --heads"
        })
final class TreeCommand implements Callable<Integer> {
    @Mixin
    private StateQuestion question;

    @Option(names = "--heads", description = "Only those that no other was made from.")
    private boolean heads;

    @Override
    public Integer call() throws IOException {
        Optional<String> cursor = Optional.empty();
        do {
            Optional<String> from = cursor;
            Map<String, String> parameters = new HashMap<>();
            parameters.put("limit", Integer.toString(StateQuestion.page()));
            parameters.put("cursor", from.orElse(null));
            JsonNode answer = question.askTree(
                    parameters,
                    states -> states.tree(question.namespace(), question.conversation(), from, StateQuestion.page()));
            for (JsonNode item : answer.path("items")) {
                if (!heads || item.path("head").asBoolean()) {
                    System.out.println(item);
                }
            }
            cursor = Optional.ofNullable(answer.path("next").textValue());
        } while (cursor.isPresent());
        return question.status();
    }
}
