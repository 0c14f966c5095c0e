package dev.parley.cli.offline;

import dev.parley.cli.io.JsonLines;
import dev.parley.state.PointInTime;
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
            StateQueryOptions.MOMENTS,
            StateQueryOptions.OFFSETS,
            StateQueryOptions.STATUS,
            "",
            "Examples:",
            "  parley state samples/csp-refactoring.jsonl auth-refactor --at checkpoint:C2",
            "  parley state samples/slip-release.jsonl 1 --protocol slip --at turn:4",
            "  parley state --url http://127.0.0.1:8080 auth-refactor --at time:2026-01-31T12:00:00Z"
        })
public final class StateCommand implements Callable<Integer> {
    @Mixin
    private StateQueryOptions question;

    @Option(
            names = "--at",
            paramLabel = "MOMENT",
            defaultValue = "latest",
            description = "The moment. Default: ${DEFAULT-VALUE}.")
    private String at;

    @Override
    public Integer call() throws IOException {
        PointInTime moment = question.moment("--at", at);
        JsonLines.print(
                question.ask("/state", Map.of("at", at), queries -> queries.state(question.conversation(), moment)));
        return question.status();
    }
}
