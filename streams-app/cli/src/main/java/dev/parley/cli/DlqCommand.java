package dev.parley.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.cli.io.ApiClient;
import dev.parley.cli.io.ApiOptions;
import dev.parley.cli.io.ApiQuery;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Pages;
import dev.parley.cli.io.Table;
import dev.parley.cli.io.UsageException;
import dev.parley.json.ApiJson;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.DeadLetterDetails;
import dev.parley.json.model.RedriveResults;
import dev.parley.server.api.Paths;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley dlq}: lists, shows and redrives dead letters. */
@Command(
        name = "dlq",
        description = "Lists, shows and redrives dead letters, by the HTTP API.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  parley dlq list --stage dialogue",
            "  parley dlq show parley.dlq.dialogue.v1/0/17",
            "  parley dlq redrive --dry-run parley.dlq.dialogue.v1/0/17"
        },
        subcommands = {DlqCommand.ListCommand.class, DlqCommand.ShowCommand.class, DlqCommand.RedriveCommand.class})
final class DlqCommand extends BaseCommand {

    private static final int PAGE = 500;

    @Override
    public Integer call() {
        throw new UsageException("name a command: list, show or redrive");
    }

    /** {@code parley dlq list}. */
    @Command(
            name = "list",
            description = "Lists dead letters. " + OutputOptions.HELP,
            footer = {
                "",
                "Needs a token with the role reader if authentication is on.",
                "",
                "Examples:",
                "  parley dlq list",
                "  parley dlq list --stage dialogue --code SLIP_ACCEPT_WITHOUT_PROPOSE",
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

        @Option(
                names = "--stage",
                paramLabel = "STAGE",
                description = "Only of this stage: decode, dialogue, patch or internal.")
        private String stage;

        @Option(names = "--code", paramLabel = "CODE", description = "Only with this code.")
        private String code;

        @Option(
                names = "--namespace",
                paramLabel = "NAME",
                description = "Only of this namespace, which an undecodable record may claim.")
        private String namespace;

        @Option(names = "--protocol", paramLabel = "NAME", description = "Only of this protocol.")
        private String protocol;

        @Option(
                names = "--sender",
                paramLabel = "NAME",
                description = "Only from this sender, whom an undecodable record may claim.")
        private String sender;

        @Override
        public Integer call() {
            ApiQuery query = new ApiQuery("/v1/dead-letters")
                    .with("limit", PAGE)
                    .with("stage", stage)
                    .with("code", code)
                    .with("namespace", namespace)
                    .with("protocol", protocol)
                    .with("sender", sender);
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
            description = "Shows a dead letter: its failure, its bytes, and its redrives.",
            footer = {
                "",
                "Needs a token with the role reader if authentication is on; private messages need the role auditor.",
                "",
                "Examples:",
                "  parley dlq show parley.dlq.dialogue.v1/0/17",
                "  parley dlq show --raw parley.dlq.dialogue.v1/0/17 >message"
            })
    static final class ShowCommand extends BaseCommand {

        @Mixin
        private ApiOptions api;

        @Option(names = "--raw", description = "Prints only the bytes of the message.")
        private boolean raw;

        @Parameters(paramLabel = "ID", description = "The dead letter: topic/partition/offset.")
        private String id;

        @Override
        public Integer call() {
            DeadLetterDetails letter = api.client().get(path(id), DeadLetterDetails.class);
            if (!raw) {
                out().println(ApiJson.pretty(letter));
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
    }

    /** The path of a dead letter; its ID has slashes. */
    private static String path(String id) {
        return "/v1/dead-letters/"
                + Arrays.stream(id.split("/", -1)).map(Paths::segment).collect(Collectors.joining("/"));
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
                "  parley dlq redrive --dry-run parley.dlq.patch.v1/0/17",
                "  parley dlq redrive --reason 'ticket 4711' parley.dlq.patch.v1/0/17",
                "  parley dlq redrive --all --stage patch --reason 'agent fixed'",
                "  parley dlq redrive --reason typo --edit ID=message ID"
            })
    static final class RedriveCommand extends BaseCommand {
        private static final List<Table.Column<RedriveResults.Item>> COLUMNS = List.of(
                Table.Column.of("ID", RedriveResults.Item::id),
                Table.Column.of("OUTCOME", RedriveResults.Item::outcome),
                Table.Column.of("SENT", RedriveResults.Item::sent),
                Table.Column.of("VERDICT", RedriveResults.Item::verdict),
                Table.Column.of("CODE", RedriveResults.Item::code),
                Table.Column.of("DETAIL", RedriveResults.Item::detail));

        @Mixin
        private ApiOptions api;

        @Mixin
        private OutputOptions output;

        @Option(names = "--dry-run", description = "Sends nothing, and prints what would happen now.")
        private boolean dryRun;

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                description = "Reason. It is recorded, so it must not quote the message. Optional with --dry-run.")
        private String reason;

        @Option(names = "--all", description = "All dead letters that the following options select.")
        private boolean all;

        @Option(
                names = "--stage",
                paramLabel = "STAGE",
                description = "With --all: only of this stage: decode, dialogue, patch or internal.")
        private String stage;

        @Option(names = "--code", paramLabel = "CODE", description = "With --all: only with this code.")
        private String code;

        @Option(names = "--protocol", paramLabel = "NAME", description = "With --all: only of this protocol.")
        private String protocol;

        @Option(
                names = "--from",
                paramLabel = "TIME",
                description = "With --all: only from this time on, in the forms of parley export.")
        private Instant from;

        @Option(names = "--to", paramLabel = "TIME", description = "With --all: only before this time.")
        private Instant to;

        @Option(
                names = "--edit",
                paramLabel = "ID=FILE",
                description =
                        "Sends the bytes of a file, or of standard input for -, instead of those of a dead letter."
                                + " May be repeated.")
        private Map<String, Path> edits = new LinkedHashMap<>();

        @Parameters(arity = "0..*", paramLabel = "ID", description = "Dead letters: topic/partition/offset.")
        private List<String> ids = new ArrayList<>();

        /** The body of the request; keys without a value are omitted. */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        private record Request(
                boolean dryRun,
                String reason,
                List<String> ids,
                Map<String, String> query,
                Map<String, String> edits,
                String cursor) {
            Request from(String next) {
                return new Request(dryRun, reason, ids, query, edits, next);
            }
        }

        @Override
        public Integer call() throws IOException {
            Request request = request();
            ApiClient client = api.client();
            boolean refused = false;
            try (OutputOptions.Rows<RedriveResults.Item> rows = output.rows(COLUMNS)) {
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

        private Request request() throws IOException {
            if (all != ids.isEmpty()) {
                throw new UsageException("name dead letters, or select them with --all");
            }
            if (!dryRun && (reason == null || reason.isBlank())) {
                throw new UsageException("--reason is required without --dry-run");
            }
            Map<String, String> filters = new LinkedHashMap<>();
            filters.put("stage", stage);
            filters.put("code", code);
            filters.put("protocol", protocol);
            filters.put("from", from == null ? null : from.toString());
            filters.put("to", to == null ? null : to.toString());
            filters.values().removeIf(Objects::isNull);
            if (!all && !filters.isEmpty()) {
                throw new UsageException("--" + filters.keySet().iterator().next() + " needs --all");
            }
            Map<String, String> edited = new LinkedHashMap<>();
            for (Map.Entry<String, Path> edit : edits.entrySet()) {
                try (InputStream in = Options.open(edit.getValue())) {
                    edited.put(edit.getKey(), Base64.getEncoder().encodeToString(in.readAllBytes()));
                }
            }
            return new Request(
                    dryRun, reason, all ? null : ids, all ? filters : null, edited.isEmpty() ? null : edited, null);
        }
    }
}
