package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.cli.io.ApiClient;
import dev.parley.cli.io.ApiOptions;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Pages;
import dev.parley.cli.io.Table;
import dev.parley.json.ApiJson;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.DeadLetterDetails;
import dev.parley.json.model.RedriveResults;
import dev.parley.server.api.Paths;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
final class DlqCommand implements Callable<Integer> {

    private static final int PAGE = 500;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "name a command: list, show or redrive");
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
    static final class ListCommand implements Callable<Integer> {
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
            StringBuilder path = new StringBuilder("/v1/dead-letters?limit=" + PAGE);
            Map<String, String> filters = new LinkedHashMap<>();
            filters.put("stage", stage);
            filters.put("code", code);
            filters.put("namespace", namespace);
            filters.put("protocol", protocol);
            filters.put("sender", sender);
            filters.values().removeIf(value -> value == null);
            filters.forEach(
                    (name, value) -> path.append('&').append(name).append('=').append(URLEncoder.encode(value, UTF_8)));
            try (OutputOptions.Rows<DeadLetter> rows = output.rows(COLUMNS)) {
                new Pages<>(api.client(), path.toString(), DeadLetter.class)
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
    static final class ShowCommand implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

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
                spec.commandLine().getOut().println(ApiJson.pretty(letter));
                return 0;
            }
            if (letter.value() == null) {
                spec.commandLine()
                        .getErr()
                        .println("parley dlq show: the dead letter has no bytes, or the token may not see them");
                return 1;
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
    static final class RedriveCommand implements Callable<Integer> {
        private static final List<Table.Column<RedriveResults.Item>> COLUMNS = List.of(
                Table.Column.of("ID", RedriveResults.Item::id),
                Table.Column.of("OUTCOME", RedriveResults.Item::outcome),
                Table.Column.of("SENT", RedriveResults.Item::sent),
                Table.Column.of("VERDICT", RedriveResults.Item::verdict),
                Table.Column.of("CODE", RedriveResults.Item::code),
                Table.Column.of("DETAIL", RedriveResults.Item::detail));

        @Spec
        private CommandSpec spec;

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

        @Option(names = "--from", paramLabel = "TIME", description = "With --all: only from this time on.")
        private String from;

        @Option(names = "--to", paramLabel = "TIME", description = "With --all: only before this time.")
        private String to;

        @Option(
                names = "--edit",
                paramLabel = "ID=FILE",
                description =
                        "Sends the bytes of a file, or of standard input for -, instead of those of a dead letter."
                                + " May be repeated.")
        private Map<String, Path> edits = new LinkedHashMap<>();

        @Parameters(arity = "0..*", paramLabel = "ID", description = "Dead letters: topic/partition/offset.")
        private List<String> ids = new ArrayList<>();

        @Override
        public Integer call() throws IOException {
            ObjectNode body = body();
            ApiClient client = api.client();
            boolean refused = false;
            try (OutputOptions.Rows<RedriveResults.Item> rows = output.rows(COLUMNS)) {
                RedriveResults answer;
                do {
                    answer = client.post("/v1/dead-letters:redrive", body, RedriveResults.class);
                    for (RedriveResults.Item result : answer.results()) {
                        refused |= result.outcome().equals("REFUSED");
                        rows.accept(result);
                    }
                    body.put("cursor", answer.next());
                } while (answer.next() != null);
            }
            return refused ? 1 : 0;
        }

        private ObjectNode body() throws IOException {
            if (all != ids.isEmpty()) {
                throw new ParameterException(spec.commandLine(), "name dead letters, or select them with --all");
            }
            if (!dryRun && (reason == null || reason.isBlank())) {
                throw new ParameterException(spec.commandLine(), "--reason is required without --dry-run");
            }
            ObjectNode body = JsonNodeFactory.instance.objectNode().put("dryRun", dryRun);
            if (reason != null) {
                body.put("reason", reason);
            }
            Map<String, String> filters = new LinkedHashMap<>();
            filters.put("stage", stage);
            filters.put("code", code);
            filters.put("protocol", protocol);
            filters.put("from", from);
            filters.put("to", to);
            filters.values().removeIf(value -> value == null);
            if (!all) {
                if (!filters.isEmpty()) {
                    throw new ParameterException(
                            spec.commandLine(),
                            "--" + filters.keySet().iterator().next() + " needs --all");
                }
                ids.forEach(body.putArray("ids")::add);
            } else {
                ObjectNode query = body.putObject("query");
                filters.forEach(query::put);
            }
            for (Map.Entry<String, Path> edit : edits.entrySet()) {
                try (InputStream in = Options.open(spec, edit.getValue())) {
                    body.withObject("/edits")
                            .put(edit.getKey(), Base64.getEncoder().encodeToString(in.readAllBytes()));
                }
            }
            return body;
        }
    }
}
