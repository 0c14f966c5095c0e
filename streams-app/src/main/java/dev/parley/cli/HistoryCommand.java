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

/** {@code parley history}: how an entry of a state came about. */
@Command(
        name = "history",
        description =
                "Shows every change of one entry of a state, the latest first: one JSON object a line. A null value is"
                        + " its removal.",
        footer = {
            "",
            "The history of a CSP definition is that of the way from the checkpoint to the root.",
            "A moment is latest, sequence:N, turn:N (SLIP), checkpoint:ID (CSP), time:2026-01-31T12:00:00Z, or",
            "offset:TOPIC/PARTITION/OFFSET; in a transcript the offset is the number of the line, from 1, in"
                    + " parley.wire/0.",
            "Exit status: 0; 1 when there is no such conversation or moment; 2 when a line is no part of a transcript.",
            "",
            "Examples:",
            "  parley history samples/csp-refactoring.jsonl auth-refactor --entry TOKEN_TTL",
            "  parley history --url http://127.0.0.1:8080 1 --protocol slip --entry task/1/status"
        })
final class HistoryCommand implements Callable<Integer> {
    @Mixin
    private StateQuestion question;

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

    @Override
    public Integer call() throws IOException {
        Optional<String> cursor = Optional.empty();
        do {
            Optional<String> from = cursor;
            Map<String, String> parameters = new HashMap<>();
            parameters.put("at", at);
            parameters.put("entry", entry);
            parameters.put("limit", Integer.toString(StateQuestion.page()));
            parameters.put("cursor", from.orElse(null));
            JsonNode answer = question.ask(
                    "/history",
                    parameters,
                    states -> states.history(question.talk(), entry, at, from, StateQuestion.page()));
            answer.path("items").forEach(System.out::println);
            cursor = Optional.ofNullable(answer.path("next").textValue());
        } while (cursor.isPresent());
        return question.status();
    }
}
