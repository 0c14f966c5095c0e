package dev.parley.cli.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.parley.cli.io.Counts;
import dev.parley.cli.io.Table;
import dev.parley.codec.ControlCharacters;
import dev.parley.json.model.AccountingReport;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.Health;
import dev.parley.json.model.ItemPage;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Reads what {@code parley status} shows from the HTTP API, and prints it on one screen. */
public final class StatusReport {
    /** Pages of a list that one report reads at most; the counts are lower bounds beyond them. */
    private static final int MAX_PAGES = 10;

    private static final int MAX_PARTITIONS = 6;
    private static final int MAX_CODES = 10;
    private static final int MAX_HEADS = 5;
    private static final int HASH_CHARACTERS = 12;

    private final PrintWriter out;
    private final int width;
    private final boolean colored;

    /** @param width columns of the terminal */
    public StatusReport(PrintWriter out, int width, boolean colored) {
        this.out = out;
        this.width = width;
        this.colored = colored;
    }

    /**
     * What one report shows, as {@code --json} prints it.
     *
     * @param viewsUnavailable why accounting, dead letters and chains are missing; null if they are not
     */
    @JsonInclude(Include.NON_NULL)
    public record Report(
            String url,
            Instant time,
            Health readiness,
            AccountingReport accounting,
            DeadLetters deadLetters,
            Chains chains,
            String viewsUnavailable) {

        /** Whether all parts were ready. */
        public boolean isUp() {
            return readiness.status().equals("UP");
        }
    }

    /**
     * Dead letters by code, the most frequent first.
     *
     * @param complete whether the counts are not only lower bounds
     */
    public record DeadLetters(boolean complete, List<CodeCount> codes) {}

    /** Dead letters of one stage and code; the code is null if they have none. */
    public record CodeCount(String stage, String code, long count) {
        /** Adds the count of a partition to that of its stage and code. */
        public static void add(DeadLetter.Count item, Map<List<String>, CodeCount> sums) {
            sums.merge(
                    Arrays.asList(item.stage(), item.code()),
                    new CodeCount(item.stage(), item.code(), item.count()),
                    (one, other) -> new CodeCount(one.stage, one.code, one.count + other.count));
        }
    }

    /**
     * Audit chains.
     *
     * @param complete whether the counts are not only lower bounds
     */
    public record Chains(boolean complete, long count, long records, List<LatestHead> latestHeads) {}

    /** The head of a chain. */
    public record LatestHead(String chain, long sequence, String hash, Instant time) {}

    /**
     * Reads the status.
     *
     * @throws IllegalStateException if the HTTP API is unavailable, or rejects the token
     */
    public static Report read(ApiClient api, URI url) {
        Instant time = Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS);
        Health readiness = api.readiness();
        try {
            return new Report(
                    url.toString(),
                    time,
                    readiness,
                    api.get("/v1/accounting", AccountingReport.class),
                    deadLetters(api),
                    chains(api),
                    null);
        } catch (IllegalStateException e) {
            // An instance without views, or with views that are being restored.
            return new Report(url.toString(), time, readiness, null, null, null, e.getMessage());
        }
    }

    private static DeadLetters deadLetters(ApiClient api) {
        Map<List<String>, CodeCount> counts = new LinkedHashMap<>();
        boolean complete = each(
                api, "/v1/dead-letters/counts?limit=1000", DeadLetter.Count.class, item -> CodeCount.add(item, counts));
        return new DeadLetters(
                complete,
                counts.values().stream()
                        .sorted(Comparator.comparingLong(CodeCount::count).reversed())
                        .toList());
    }

    private static Chains chains(ApiClient api) {
        long[] counts = new long[2];
        PriorityQueue<Conversation> latest = new PriorityQueue<>(Comparator.comparing(Conversation::lastTime));
        boolean complete = each(api, "/v1/conversations?limit=1000", Conversation.class, item -> {
            counts[0]++;
            counts[1] += item.messages();
            latest.add(item);
            if (latest.size() > MAX_HEADS) {
                latest.remove();
            }
        });
        return new Chains(
                complete,
                counts[0],
                counts[1],
                latest.stream()
                        .sorted(Comparator.comparing(Conversation::lastTime).reversed())
                        .map(item ->
                                new LatestHead(item.chain(), item.lastSequence(), item.lastHash(), item.lastTime()))
                        .toList());
    }

    /** Takes the items of the first pages; returns whether those were all. */
    private static <T> boolean each(ApiClient api, String path, Class<T> type, Consumer<T> item) {
        int pages = 0;
        for (ItemPage<T> page : new Pages<>(api, new ApiQuery(path), type)) {
            page.items().forEach(item);
            if (++pages == MAX_PAGES) {
                return page.next() == null;
            }
        }
        return true;
    }

    /** Prints the status for a person. */
    public void print(Report status) {
        printLine("Parley at " + status.url() + " is " + status.readiness().status() + " (" + status.time() + ")");
        out.println();
        table(
                status.readiness().parts(),
                Table.Column.of("PART", Health.Part::name),
                Table.Column.of("STATUS", Health.Part::status),
                Table.Column.of("DETAIL", Health.Part::detail));
        if (status.viewsUnavailable() != null) {
            out.println();
            printLine("No views here: " + status.viewsUnavailable());
            return;
        }
        accounting(status.accounting());
        deadLetters(status.deadLetters());
        chains(status.chains());
    }

    private void accounting(AccountingReport accounting) {
        AccountingReport.Counts total = accounting.total();
        out.println();
        printLine("Accounting: " + (accounting.balanced() ? "balanced" : "not balanced") + ". "
                + Counts.of(total.inputs(), "input") + " = " + total.accepted() + " accepted + " + total.flagged()
                + " flagged + " + total.rejected() + " rejected + " + total.undecodable() + " undecodable + "
                + total.parked() + " parked + " + total.pending() + " pending. Lag: "
                + (total.lag() == null ? "unknown" : total.lag()) + ".");
        List<AccountingReport.Partition> partitions = accounting.partitions().stream()
                .sorted(Comparator.comparingLong(StatusReport::unfinished).reversed())
                .toList();
        table(
                partitions.subList(0, Math.min(MAX_PARTITIONS, partitions.size())),
                Table.Column.of("INPUT", partition -> partition.topic() + "-" + partition.partition()),
                Table.Column.of("INPUTS", partition -> partition.counts().inputs()),
                Table.Column.of("PARKED", partition -> partition.counts().parked()),
                Table.Column.of("PENDING", partition -> partition.counts().pending()),
                Table.Column.of("LAG", partition -> partition.counts().lag()),
                Table.Column.of("STALLED", AccountingReport.Partition::stalledBy));
        more(partitions.size() - MAX_PARTITIONS, "partition");
    }

    private static long unfinished(AccountingReport.Partition partition) {
        Long lag = partition.counts().lag();
        return (lag == null ? 0 : lag) + partition.counts().pending();
    }

    private void deadLetters(DeadLetters deadLetters) {
        List<CodeCount> codes = deadLetters.codes();
        out.println();
        out.println("Dead letters: " + (deadLetters.complete() ? "" : "at least ")
                + codes.stream().mapToLong(CodeCount::count).sum());
        table(
                codes.subList(0, Math.min(MAX_CODES, codes.size())),
                Table.Column.of("STAGE", CodeCount::stage),
                Table.Column.of("CODE", CodeCount::code),
                Table.Column.of("COUNT", CodeCount::count));
        more(codes.size() - MAX_CODES, "code");
    }

    private void chains(Chains chains) {
        out.println();
        out.println("Chains: " + (chains.complete() ? "" : "at least ") + chains.count() + ", with "
                + Counts.of(chains.records(), "record") + ". Latest heads:");
        table(
                chains.latestHeads(),
                Table.Column.of("CHAIN", LatestHead::chain),
                Table.Column.of("SEQUENCE", LatestHead::sequence),
                Table.Column.of(
                        "HASH",
                        head -> head.hash()
                                .substring(
                                        0, Math.min(HASH_CHARACTERS, head.hash().length()))),
                Table.Column.of("TIME", LatestHead::time));
    }

    @SafeVarargs
    private <T> void table(List<T> rows, Table.Column<T>... columns) {
        Table<T> table = new Table<>(out, width, colored, List.of(columns));
        rows.forEach(table::add);
        table.flush();
    }

    private void more(int count, String noun) {
        if (count > 0) {
            out.println("and " + Counts.of(count, "more " + noun));
        }
    }

    private void printLine(String text) {
        Table.wrapped(ControlCharacters.escape(text), width).forEach(out::println);
    }
}
