package dev.parley.cli.offline;

import dev.parley.cli.io.JsonLines;
import dev.parley.state.PointInTime;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley blame}: which message set each entry of a state. */
@Command(
        name = "blame",
        description = "Shows for each entry of a state which message set it: one JSON object a line.",
        footer = {
            "",
            StateQueryOptions.MOMENTS,
            StateQueryOptions.OFFSETS,
            StateQueryOptions.STATUS,
            "",
            "Examples:",
            "  parley blame samples/csp-refactoring.jsonl auth-refactor",
            "  parley blame samples/slip-release.jsonl 1 --protocol slip --entry task/1/status",
            "  parley blame --url http://127.0.0.1:8080 auth-refactor --at checkpoint:C2"
        })
public final class BlameCommand implements Callable<Integer> {
    @Mixin
    private StateQueryOptions question;

    @Option(
            names = "--at",
            paramLabel = "MOMENT",
            defaultValue = "latest",
            description = "The moment. Default: ${DEFAULT-VALUE}.")
    private String at;

    @Option(names = "--entry", paramLabel = "NAME", description = "This entry alone.")
    private String entry;

    @Override
    public Integer call() throws IOException {
        PointInTime moment = question.moment("--at", at);
        question.pages(
                "/blame",
                entry == null ? Map.of("at", at) : Map.of("at", at, "entry", entry),
                (queries, cursor) -> queries.blame(
                        question.conversation(), moment, Optional.ofNullable(entry), cursor, StateQueryOptions.PAGE),
                JsonLines::print);
        return question.status();
    }
}
