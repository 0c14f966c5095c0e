package dev.parley.cli.offline;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.io.JsonLines;
import dev.parley.logging.ControlCharacters;
import dev.parley.state.Moment;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley history}: how an entry of a state came about. */
@Command(
        name = "history",
        description =
                "Shows every change of one entry of a state, the latest first: one JSON object a line. A null value is"
                        + " its removal.",
        footer = {
            "",
            "The history of a CSP definition is that of the way from the checkpoint to the root.",
            StateQueryOptions.MOMENTS,
            StateQueryOptions.OFFSETS,
            StateQueryOptions.STATUS,
            "",
            "Examples:",
            "  parley history samples/csp-refactoring.jsonl auth-refactor --entry TOKEN_TTL",
            "  parley history --url http://127.0.0.1:8080 1 --protocol slip --entry task/1/status"
        })
public final class HistoryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private StateQueryOptions question;

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

    @Mixin
    private GlossOptions gloss;

    @Override
    public Integer call() throws IOException {
        question.use(gloss.glosses());
        Moment moment = question.moment("--at", at);
        JsonNode last = question.pages(
                "/history",
                Map.of("at", at, "entry", entry),
                (queries, cursor) ->
                        queries.history(question.conversation(), entry, moment, cursor, StateQueryOptions.PAGE),
                JsonLines::print);
        JsonNode pruned = last.path("pruned");
        if (pruned.isObject()) {
            spec.commandLine()
                    .getErr()
                    .println("parley history: it ends here: what checkpoint "
                            + ControlCharacters.escape(pruned.path("checkpoint").asText()) + " held was pruned at "
                            + pruned.path("at").asText());
        }
        return question.status();
    }
}
