package dev.parley.cli;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.Pages;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.cli.io.UsageException;
import dev.parley.decode.ConversationKey;
import dev.parley.json.model.Unapproved;
import dev.parley.json.model.write.Redacting;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley approve}: lists changed definitions, and approves one. */
@Command(
        name = "approve",
        description = "Lists the messages with a changed definition that have no approval, or approves one, by the HTTP"
                + " API. " + OutputOptions.HELP,
        footer = {
            "",
            "The chain records the approval, with the caller and the reason. It is permanent, and changes no verdict."
                    + " Listing needs a token with the role reader, and approving one with the role operator, if"
                    + " authentication is on. parley diff shows what a message changed.",
            "",
            "Exit status: 0 if the list was printed, the request was sent, or the message is approved already; 1"
                    + " otherwise.",
            "",
            "Examples:",
            "  parley approve --namespace default",
            "  parley approve --chain 'default|MCP|s1' --sequence 7 --reason 'release 2.1'"
        })
final class ApproveCommand extends BaseCommand {
    private static final int PAGE = 500;

    private static final List<Table.Column<Unapproved>> COLUMNS = List.of(
            Table.Column.of("CHAIN", Unapproved::chain),
            Table.Column.of("SEQUENCE", Unapproved::sequence),
            Table.Column.of("TIME", Unapproved::time),
            Table.Column.of("SERVER", Unapproved::server),
            Table.Column.of(
                    "CHANGED",
                    item -> item.definitions().isEmpty()
                            ? item.gloss()
                            : item.definitions().stream().map(Object::toString).collect(Collectors.joining(", "))));

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Lists only messages of this namespace.")
    private String namespace;

    @ArgGroup(exclusive = false)
    private RecordOptions record;

    @Override
    public Integer call() {
        if (record == null) {
            list();
            return 0;
        }
        if (namespace != null) {
            throw new UsageException("--namespace selects a list; --chain already names the namespace of a message");
        }
        record.require();
        String message = ApiClient.conversation(ConversationKey.parse(record.chain)) + "/messages/" + record.sequence;
        JsonLines.print(
                api.client().post(message + "/approve", Map.of("reason", record.reason.strip()), Redacting.class));
        return 0;
    }

    private void list() {
        ApiQuery query = new ApiQuery("/v1/unapproved").with("limit", PAGE).with("namespace", namespace);
        try (OutputOptions.Rows<Unapproved> rows = output.rows(COLUMNS)) {
            new Pages<>(api.client(), query, Unapproved.class)
                    .forEach(page -> page.items().forEach(rows));
        }
    }
}
