package dev.parley.cli;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.Pages;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.Table;
import dev.parley.cli.io.Terminal;
import dev.parley.codec.ControlCharacters;
import dev.parley.json.model.AccountingReport;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.Health;
import dev.parley.json.model.Status;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code parley status}: shows the status of a running Parley, as the HTTP API returns it, on one screen. */
@Command(
        name = "status",
        description = "Shows a running Parley on one screen: parts, accounting, lag, dead letters by code, audit log.",
        footer = {
            "",
            "Needs a token with the role reader if authentication is on. GET /v1/status returns more, as JSON.",
            "",
            "Exit status: 0 if all parts are ready; 1 if one is not, or the HTTP API is unavailable.",
            "",
            "Examples:",
            "  parley status",
            "  watch parley status --url http://parley:8080 --token-file reader.token"
        })
final class StatusCommand extends BaseCommand {
    private static final int MAX_PARTITIONS = 6;
    private static final int MAX_CODES = 10;

    @Mixin
    private ApiOptions options;

    @Override
    public Integer call() {
        ApiClient api = options.client();
        Health readiness = api.readiness();
        printLine("Parley at " + api.uri("") + " is " + readiness.status());
        out().println();
        printTable(
                readiness.parts(),
                Table.Column.of("PART", Health.Part::name),
                Table.Column.of("STATUS", Health.Part::status),
                Table.Column.of("DETAIL", Health.Part::detail));
        out().println();
        try {
            Status status = api.get("/v1/status", Status.class);
            printAccounting(status.pipeline());
            printDeadLetters(api);
            printLine("Audit log: " + Counts.of(status.heads().records(), "record") + " in its heads, last signed "
                    + (status.heads().lastSigned() == null
                            ? "never"
                            : "at " + status.heads().lastSigned()));
        } catch (IllegalStateException e) {
            // An instance without views, or with views that are being restored.
            printLine("No views here: " + e.getMessage());
        }
        return readiness.status().equals("UP") ? 0 : 1;
    }

    private void printAccounting(AccountingReport accounting) {
        AccountingReport.Counts total = accounting.total();
        printLine("Accounting: "
                + (accounting.balanced()
                        ? "balanced"
                        : accounting.balancedUntil() == null
                                ? "not balanced"
                                : "balanced until " + accounting.balancedUntil())
                + ". "
                + Counts.of(total.inputs(), "input") + " = " + total.accepted() + " accepted + " + total.flagged()
                + " flagged + " + total.rejected() + " rejected + " + total.undecodable() + " undecodable + "
                + total.parked() + " parked + " + total.pending() + " pending. Lag: "
                + (total.lag() == null ? "unknown" : total.lag()) + ".");
        List<AccountingReport.Partition> partitions = accounting.partitions().stream()
                .sorted(Comparator.comparingLong(StatusCommand::unfinished).reversed())
                .toList();
        printTable(
                partitions.subList(0, Math.min(MAX_PARTITIONS, partitions.size())),
                Table.Column.of("INPUT", partition -> partition.topic() + "-" + partition.partition()),
                Table.Column.of("INPUTS", partition -> partition.counts().inputs()),
                Table.Column.of("PARKED", partition -> partition.counts().parked()),
                Table.Column.of("PENDING", partition -> partition.counts().pending()),
                Table.Column.of("LAG", partition -> partition.counts().lag()),
                Table.Column.of("STALLED", AccountingReport.Partition::stalledBy));
        printRest(partitions.size() - MAX_PARTITIONS, "partition");
    }

    private static long unfinished(AccountingReport.Partition partition) {
        Long lag = partition.counts().lag();
        return (lag == null ? 0 : lag) + partition.counts().pending();
    }

    private void printDeadLetters(ApiClient api) {
        Map<String, Long> letters = new TreeMap<>();
        new Pages<>(api, new ApiQuery("/v1/dead-letters/counts?limit=1000"), DeadLetter.Count.class)
                .forEach(page -> page.items()
                        .forEach(item -> letters.merge(
                                item.stage() + (item.code() == null ? "" : ' ' + item.code()),
                                item.count(),
                                Long::sum)));
        out().println("Dead letters: "
                + letters.values().stream().mapToLong(Long::longValue).sum());
        printTable(
                letters.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .limit(MAX_CODES)
                        .toList(),
                Table.Column.of("STAGE AND CODE", Map.Entry::getKey),
                Table.Column.of("COUNT", Map.Entry::getValue));
        printRest(letters.size() - MAX_CODES, "code");
    }

    private void printRest(int count, String noun) {
        if (count > 0) {
            out().println("and " + Counts.of(count, "more " + noun));
        }
        out().println();
    }

    private void printLine(String text) {
        Table.wrapped(ControlCharacters.escape(text), Terminal.width()).forEach(out()::println);
    }
}
