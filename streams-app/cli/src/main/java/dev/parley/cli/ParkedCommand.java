package dev.parley.cli;

import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.Pages;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Table;
import dev.parley.json.model.ParkedItem;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley parked}: lists the patches that wait for their bases. */
@Command(
        name = "parked",
        description = "Lists the CSP patches that wait for their bases, the oldest first. " + OutputOptions.HELP,
        footer = {
            "",
            "Needs a token with the role reader if authentication is on.",
            "",
            "Examples:",
            "  parley parked",
            "  parley parked --namespace mine --conversation auth-refactor"
        })
final class ParkedCommand extends BaseCommand {
    private static final int PAGE = 500;
    private static final List<Table.Column<ParkedItem>> COLUMNS = List.of(
            Table.Column.of("PATCH", ParkedItem::patch),
            Table.Column.of("BASE", ParkedItem::base),
            Table.Column.of("CONVERSATION", ParkedItem::conversation),
            Table.Column.of("BY", ParkedItem::sender),
            Table.Column.of("SINCE", ParkedItem::since),
            Table.Column.of("UNTIL", ParkedItem::until),
            Table.Column.of("POSITION", ParkedItem::position));

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Only of this namespace.")
    private String namespace;

    @Option(names = "--conversation", paramLabel = "ID", description = "Only of this CSP context.")
    private String conversation;

    @Override
    public Integer call() {
        ApiQuery query = new ApiQuery("/v1/parked")
                .with("namespace", namespace)
                .with("conversation", conversation)
                .with("limit", PAGE);
        try (OutputOptions.Rows<ParkedItem> rows = output.rows(COLUMNS)) {
            new Pages<>(api.client(), query, ParkedItem.class)
                    .forEach(page -> page.items().forEach(rows));
        }
        return 0;
    }
}
