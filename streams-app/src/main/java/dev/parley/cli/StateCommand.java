package dev.parley.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley state}: the state of a conversation as of a moment. */
@Command(
        name = "state",
        description = "Shows the state of a conversation as of a moment: one JSON object.",
        footer = {
            "",
            "CSP: definitions; SLIP: the task board; SUBIT: the form of each agent; Λ: definitions and agreements.",
            "A moment is latest, sequence:N, turn:N (SLIP), checkpoint:ID (CSP), time:2026-01-31T12:00:00Z, or",
            "offset:TOPIC/PARTITION/OFFSET; in a transcript the offset is the number of the line, from 1, in"
                    + " parley.wire/0.",
            "Exit status: 0; 1 when there is no such conversation or moment; 2 when a line is no part of a transcript.",
            "",
            "Examples:",
            "  parley state samples/csp-refactoring.jsonl auth-refactor --at checkpoint:C2",
            "  parley state samples/slip-release.jsonl 1 --protocol slip --at turn:4",
            "  parley state --url http://127.0.0.1:8080 auth-refactor --at time:2026-01-31T12:00:00Z"
        })
final class StateCommand implements Callable<Integer> {
    @Mixin
    private StateQuestion question;

    @Option(
            names = "--at",
            paramLabel = "MOMENT",
            defaultValue = "latest",
            description = "The moment. Default: ${DEFAULT-VALUE}.")
    private String at;

    @Override
    public Integer call() throws IOException {
        JsonNode answer = question.ask("/state", Map.of("at", at), states -> states.state(question.talk(), at));
        System.out.println(answer);
        return question.status();
    }
}
