package dev.parley.cli;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.DeadLetterOptions;
import dev.parley.cli.api.Pages;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.cli.io.UsageException;
import dev.parley.codec.Code;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Utf8;
import dev.parley.conformance.CodeGuide;
import dev.parley.json.ApiJson;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.DeadLetterDetails;
import dev.parley.json.model.write.ClosureBody;
import dev.parley.json.model.write.RedriveBody;
import dev.parley.json.model.write.RedriveResults;
import dev.parley.server.api.DeadLetterHandler;
import dev.parley.server.api.view.Paths;
import dev.parley.server.redrive.RedriveResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley dlq}: lists, shows, redrives and closes dead letters. */
@Command(
        name = "dlq",
        description = "Lists, shows, redrives and closes dead letters, by the HTTP API.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  parley dlq list --stage judge",
            "  parley dlq show parley.dlq.judge.v1/0/0",
            "  parley dlq redrive --dry-run parley.dlq.judge.v1/0/0",
            "  parley dlq close --reason 'ticket 4711' parley.dlq.judge.v1/0/0"
        },
        subcommands = {
            DlqCommand.ListCommand.class,
            DlqCommand.ShowCommand.class,
            DlqCommand.RedriveCommand.class,
            DlqCommand.CloseCommand.class,
            DlqCommand.ReopenCommand.class
        })
final class DlqCommand extends BaseCommand {

    private static final int PAGE = 500;

    /** Maximum characters of a message in a table. */
    private static final int MAX_TEXT = 4_000;

    @Override
    public Integer call() {
        throw new UsageException("name a command: list, show, redrive, close or reopen");
    }

    /** {@code parley dlq list}. */
    @Command(
            name = "list",
            description = "Lists dead letters, the latest first. " + OutputOptions.HELP,
            footer = {
                "",
                DeadLetterOptions.HELP + " Needs a token with the role reader if authentication is on.",
                "",
                "Examples:",
                "  parley dlq list",
                "  parley dlq list --stage judge --code SLIP_TURN_REGRESSION",
                "  parley dlq list --stage decode --namespace mine --sender PLANNER"
            })
    static final class ListCommand extends BaseCommand {
        private static final List<Table.Column<DeadLetter>> COLUMNS = List.of(
                Table.Column.of("ID", DeadLetter::id),
                Table.Column.of("CODE", DeadLetter::code),
                Table.Column.of("AT", DeadLetter::timestamp),
                Table.Column.of("CONVERSATION", DeadLetter::conversation),
                Table.Column.of("SENDER", DeadLetter::sender),
                Table.Column.of("DETAIL", DeadLetter::detail));

        @Mixin
        private ApiOptions api;

        @Mixin
        private OutputOptions output;

        @Mixin
        private DeadLetterOptions selection;

        @Override
        public Integer call() {
            ApiQuery query =
                    new ApiQuery("/v1/dead-letters").with("limit", PAGE).with(selection.filters());
            try (OutputOptions.Rows<DeadLetter> rows = output.rows(COLUMNS)) {
                new Pages<>(api.client(), query, DeadLetter.class)
                        .forEach(page -> page.items().forEach(rows));
            }
            return 0;
        }
    }

    /** {@code parley dlq show}. */
    @Command(
            name = "show",
            description = "Shows a dead letter: its failure, its bytes, key and headers, and its redrives. "
                    + "Prints a table with the remedy on a terminal, and JSON elsewhere.",
            footer = {
                "",
                "Needs a token with the role reader if authentication is on; key, headers and private messages need the role"
                        + " auditor.",
                "",
                "Examples:",
                "  parley dlq show parley.dlq.judge.v1/0/0",
                "  parley dlq show --raw parley.dlq.judge.v1/0/0 >message"
            })
    static final class ShowCommand extends BaseCommand {

        @Mixin
        private ApiOptions api;

        @Mixin
        private OutputOptions output;

        @Option(names = "--raw", description = "Prints only the bytes of the message.")
        private boolean raw;

        @Parameters(paramLabel = "ID", description = "The dead letter: topic/partition/offset.")
        private String id;

        @Override
        public Integer call() throws IOException {
            DeadLetterDetails letter = api.client().get(path(id), DeadLetterDetails.class);
            if (!raw) {
                if (output.isTable()) {
                    print(letter);
                } else {
                    out().println(ControlCharacters.escapeLines(ApiJson.pretty(letter)));
                }
                return 0;
            }
            if (letter.value() == null) {
                return failed("the dead letter has no bytes, or the token may not see them");
            }
            byte[] value = Base64.getDecoder().decode(letter.value());
            System.out.write(value, 0, value.length);
            System.out.flush();
            return 0;
        }

        /** Prints the members of the JSON that are set, the message as text, and the remedy. */
        private void print(DeadLetterDetails letter) throws IOException {
            Map<String, Object> rows =
                    ApiJson.read(ApiJson.bytes(letter), ApiJson.type(LinkedHashMap.class, String.class, Object.class));
            rows.keySet().removeAll(List.of("preview", "previewEncoding"));
            rows.computeIfPresent("value", (name, base64) -> text(letter));
            String code = letter.summary().code();
            Stream.of(Code.values())
                    .filter(known -> known.name().equals(code))
                    .map(CodeGuide.withoutExamples()::entry)
                    .forEach(entry -> {
                        rows.put("meaning", entry.meaning());
                        rows.put("rule", "docs/protocols.md, " + entry.section());
                        rows.put("remedy", entry.remedy());
                    });
            rows.put("next", "parley dlq redrive --dry-run " + id);
            rows.values().removeIf(Objects::isNull);
            printTable(
                    rows.entrySet(),
                    Table.Column.of("NAME", Map.Entry::getKey),
                    new Table.Column<>(
                            "VALUE", row -> shown(row.getValue()).lines().toList()));
        }

        private static String shown(Object value) {
            return value instanceof String text ? text : ApiJson.text(value);
        }

        private static String text(DeadLetterDetails letter) {
            byte[] value = Base64.getDecoder().decode(letter.value());
            return Utf8.firstInvalid(value, 0, value.length) < 0
                    ? Excerpt.cut(new String(value, StandardCharsets.UTF_8), MAX_TEXT)
                    : Counts.of(value.length, "byte") + "; --raw prints them";
        }
    }

    /** The path of a dead letter; its ID has slashes. */
    private static String path(String id) {
        if (DeadLetterHandler.ofId(id).isEmpty()) {
            throw new UsageException(
                    "ID must be topic/partition/offset, such as parley.dlq.judge.v1/0/17, but was '" + id + "'");
        }
        return "/v1/dead-letters/"
                + Arrays.stream(id.split("/", -1)).map(Paths::segment).collect(Collectors.joining("/"));
    }

    /** A command for dead letters that the caller names, or selects by filters. */
    abstract static class SelectionCommand extends BaseCommand {
        @Mixin
        ApiOptions api;

        @Mixin
        OutputOptions output;

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                description = "Reason. It is recorded, so it must not quote the message.")
        String reason;

        @Option(names = "--all", description = "All dead letters that the filters select.")
        boolean all;

        @Mixin
        private DeadLetterOptions selection;

        @Parameters(arity = "0..*", paramLabel = "ID", description = "Dead letters: topic/partition/offset.")
        List<String> ids = new ArrayList<>();

        Map<String, String> filters() {
            if (all != ids.isEmpty()) {
                throw new UsageException("name dead letters, or select them with --all");
            }
            return selection.filters();
        }
    }

    /** {@code parley dlq redrive}. */
    @Command(
            name = "redrive",
            description = "Returns dead letters to the input topics that they came from, in the order of their failed"
                    + " records. " + OutputOptions.HELP,
            footer = {
                "",
                "Each enters at most once, also if the command is repeated or another operator acts at the same time;"
                        + " an interrupted command can be repeated. With --dry-run, nothing is sent, and the verdicts"
                        + " are those in the current state. Needs a token with the role operator.",
                "",
                "Exit status: 0 if all entered, now or earlier, or would enter; 1 if one was refused.",
                "",
                "Examples:",
                "  parley dlq redrive --dry-run parley.dlq.apply.v1/1/0",
                "  parley dlq redrive --reason 'ticket 4711' parley.dlq.apply.v1/1/0",
                "  parley dlq redrive --all --stage apply --reason 'agent fixed'",
                "  parley dlq redrive --reason typo --edit ID=message ID",
                "  parley dlq redrive --dry-run --unwrap ID",
                "  parley dlq redrive --reason 'in a fence' --unwrap --confirm SHA256 ID"
            })
    static final class RedriveCommand extends SelectionCommand {
        private static final List<Table.Column<RedriveResults.Item>> COLUMNS = List.of(
                Table.Column.of("ID", RedriveResults.Item::id),
                Table.Column.of("OUTCOME", RedriveResults.Item::outcome),
                Table.Column.of("SENT", RedriveResults.Item::sent),
                Table.Column.of("VERDICT", RedriveResults.Item::verdict),
                Table.Column.of("CODE", RedriveResults.Item::code),
                Table.Column.of("DETAIL", RedriveResults.Item::detail));

        private static final List<Table.Column<RedriveResults.Item>> UNWRAPPED = List.of(
                Table.Column.of("MESSAGE", item -> unwrapped(item, RedriveResults.Unwrapped::text)),
                Table.Column.of("SHA256", item -> unwrapped(item, RedriveResults.Unwrapped::sha256)));

        @Option(names = "--dry-run", description = "Sends nothing, and prints what would happen now. Needs no reason.")
        private boolean dryRun;

        @Option(
                names = "--edit",
                paramLabel = "ID=FILE",
                description =
                        "Sends the bytes of a file, or of standard input for -, instead of those of a dead letter."
                                + " May be repeated.")
        private Map<String, Path> edited = new LinkedHashMap<>();

        @Option(
                names = "--unwrap",
                description = "Sends the message inside the value, if there is exactly one, instead of the value. First"
                        + " show it with --dry-run, then confirm it.")
        private boolean unwrap;

        @Option(
                names = "--confirm",
                paramLabel = "SHA256",
                description = "With --unwrap: hash of an inner message, from the dry run. May be repeated.")
        private Set<String> confirmed;

        @Override
        public Integer call() throws IOException {
            RedriveBody request = request();
            List<Table.Column<RedriveResults.Item>> columns = new ArrayList<>(COLUMNS);
            if (unwrap) {
                columns.addAll(UNWRAPPED);
            }
            ApiClient client = api.client();
            boolean refused = false;
            try (OutputOptions.Rows<RedriveResults.Item> rows = output.rows(columns)) {
                RedriveResults answer;
                do {
                    answer = client.post("/v1/dead-letters:redrive", request, RedriveResults.class);
                    for (RedriveResults.Item result : answer.results()) {
                        refused |= result.outcome().equals("REFUSED");
                        rows.accept(result);
                    }
                    request = request.from(answer.next());
                } while (answer.next() != null);
            }
            return refused ? 1 : 0;
        }

        private static String unwrapped(RedriveResults.Item item, Function<RedriveResults.Unwrapped, String> part) {
            return item.unwrapped() == null ? null : part.apply(item.unwrapped());
        }

        private RedriveBody request() throws IOException {
            Map<String, String> filters = filters();
            Map<String, RedriveBody.Edit> edits = edits();
            return new RedriveBody(
                    dryRun,
                    reason,
                    all ? null : ids,
                    all || !filters.isEmpty() ? filters : null,
                    edits.isEmpty() ? null : edits,
                    unwrap,
                    confirmed,
                    null,
                    null);
        }

        private Map<String, RedriveBody.Edit> edits() throws IOException {
            Map<String, RedriveBody.Edit> edits = new LinkedHashMap<>();
            for (Map.Entry<String, Path> edit : edited.entrySet()) {
                try (InputStream in = Options.open(edit.getValue())) {
                    edits.put(edit.getKey(), new RedriveBody.Edit(in.readAllBytes(), null, null));
                }
            }
            return edits;
        }
    }

    /** {@code parley dlq close}. */
    @Command(
            name = "close",
            description = "Closes dead letters: no redrive is intended. They keep their bytes. " + OutputOptions.HELP,
            footer = {
                "",
                "A closed dead letter is not redriven until it is reopened. The reason, the time and the caller are"
                        + " recorded. With --all, closes those that are open. " + ChangeCommand.HELP,
                "",
                "Examples:",
                "  parley dlq close --reason 'ticket 4711' parley.dlq.apply.v1/1/0",
                "  parley dlq close --all --code SLIP_BAD_STRING --reason 'agent retired'"
            })
    static final class CloseCommand extends ChangeCommand {
        CloseCommand() {
            super(RedriveResult.Outcome.CLOSED);
        }
    }

    /** {@code parley dlq reopen}. */
    @Command(
            name = "reopen",
            description = "Reopens closed dead letters. " + OutputOptions.HELP,
            footer = {
                "",
                "With --all, reopens those that are closed. " + ChangeCommand.HELP,
                "",
                "Examples:",
                "  parley dlq reopen --reason 'agent is back' parley.dlq.apply.v1/1/0"
            })
    static final class ReopenCommand extends ChangeCommand {
        ReopenCommand() {
            super(RedriveResult.Outcome.REOPENED);
        }
    }

    /** Closes or reopens dead letters. */
    abstract static class ChangeCommand extends SelectionCommand {
        static final String HELP =
                "The command can be repeated. Needs a token with the role operator. Exit status: 0 if"
                        + " all are in this state now; 1 if one is not.";

        private static final List<Table.Column<RedriveResults.Item>> COLUMNS = List.of(
                Table.Column.of("ID", RedriveResults.Item::id),
                Table.Column.of("OUTCOME", RedriveResults.Item::outcome),
                Table.Column.of("DETAIL", RedriveResults.Item::detail));

        private final RedriveResult.Outcome outcome;
        private boolean refused;

        /**
         * @param outcome the outcome of a dead letter that is in the state now
         */
        ChangeCommand(RedriveResult.Outcome outcome) {
            this.outcome = outcome;
        }

        @Override
        public Integer call() {
            Map<String, String> filters = new LinkedHashMap<>(filters());
            if (!all && !filters.isEmpty()) {
                throw new UsageException("filters need --all");
            }
            boolean close = outcome == RedriveResult.Outcome.CLOSED;
            filters.put("state", close ? "open" : "closed");
            String path = "/v1/dead-letters:" + (close ? "close" : "reopen");
            ApiClient client = api.client();
            try (OutputOptions.Rows<RedriveResults.Item> rows = output.rows(COLUMNS)) {
                for (int i = 0; i < ids.size(); i += PAGE) {
                    change(client, path, ids.subList(i, Math.min(ids.size(), i + PAGE)), rows);
                }
                if (all) {
                    ApiQuery query =
                            new ApiQuery("/v1/dead-letters").with("limit", PAGE).with(filters);
                    new Pages<>(client, query, DeadLetter.class)
                            .forEach(page -> change(
                                    client,
                                    path,
                                    page.items().stream().map(DeadLetter::id).toList(),
                                    rows));
                }
            }
            return refused ? 1 : 0;
        }

        private void change(
                ApiClient client, String path, List<String> page, OutputOptions.Rows<RedriveResults.Item> rows) {
            if (page.isEmpty()) {
                return;
            }
            RedriveResults answer = client.post(path, new ClosureBody(page, reason), RedriveResults.class);
            for (RedriveResults.Item result : answer.results()) {
                refused |= !result.outcome().equals(outcome.name());
                rows.accept(result);
            }
        }
    }
}
