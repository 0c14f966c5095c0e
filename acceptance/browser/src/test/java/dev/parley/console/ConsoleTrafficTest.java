package dev.parley.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.parley.console.ConsoleBrowser.Tab;
import dev.parley.load.CommittedRecords;
import dev.parley.server.auth.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** While messages flow, every number of the console is the count of its moment. */
@Tag("long")
class ConsoleTrafficTest extends AbstractConsoleTest {

    private static final String NAMESPACE = "flow";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ROUNDS = 3;

    /** What the overview shows at one time. */
    private static final String OVERVIEW = """
            () => {
              const texts = (all) => [...all].map((one) => one.textContent.trim());
              const time = (of) => of.querySelector('time')?.dateTime ?? null;
              const tile = [...document.querySelectorAll('.tile')].find((one) => one.textContent.startsWith('Accounting'));
              const table = [...document.querySelectorAll('table')].find((one) => one.caption?.textContent === 'Accounting per input partition');
              return JSON.stringify({
                state: tile.querySelector('.tile-value').textContent.trim(),
                until: time(tile.querySelector('.tile-value')),
                detail: tile.querySelector('.tile-detail').textContent,
                rows: [...table.tBodies[0].rows].map((row) => ({ cells: texts(row.cells), until: time(row) })),
              });
            }""";

    private static final Pattern TILE = Pattern.compile(
            "([\\d,]+) inputs? = ([\\d,]+) judged \\+ ([\\d,]+) parked \\+ ([\\d,]+) in flight(; [\\d,]+ not read yet)?");

    /** A record of the audit topic. */
    private record Judged(String input, Instant time, String verdict, String chain, boolean decision) {
        boolean is(String wanted) {
            return verdict.equals(wanted);
        }
    }

    /** A row of the accounting. */
    private record Row(String input, List<Long> counts, String state, Instant until) {
        long inputs() {
            return counts.get(0);
        }

        /** Accepted, rejected, flagged, undecodable and parked. */
        long outcomes() {
            return counts.subList(1, 6).stream().mapToLong(Long::longValue).sum();
        }

        long inFlight() {
            return counts.get(6);
        }
    }

    /** The accounting of one moment. */
    private record Overview(String state, Instant until, List<Long> total, List<Row> rows) {}

    private static long number(String text) {
        return Long.parseLong(text.replace(",", ""));
    }

    private static Instant time(JsonElement text) {
        return text.isJsonNull() ? null : Instant.parse(text.getAsString());
    }

    private static Overview overview(Page page) {
        JsonObject read =
                JsonParser.parseString((String) page.evaluate(OVERVIEW)).getAsJsonObject();
        Matcher tile = TILE.matcher(read.get("detail").getAsString());
        assertThat(tile.matches()).as("%s", read).isTrue();
        List<Row> rows = new ArrayList<>();
        for (JsonElement element : read.getAsJsonArray("rows")) {
            JsonObject row = element.getAsJsonObject();
            List<String> cells = row.getAsJsonArray("cells").asList().stream()
                    .map(JsonElement::getAsString)
                    .toList();
            rows.add(new Row(
                    cells.get(0),
                    cells.subList(1, 9).stream().map(ConsoleTrafficTest::number).toList(),
                    cells.get(9),
                    time(row.get("until"))));
        }
        return new Overview(
                read.get("state").getAsString(),
                time(read.get("until")),
                Stream.of(1, 2, 3, 4)
                        .map(tile::group)
                        .map(ConsoleTrafficTest::number)
                        .toList(),
                rows);
    }

    private static void assertBalancedOnlyIfEachPartitionIs(Overview overview) {
        List<Long> total = overview.total();
        assertThat(total.get(0)).as("%s", overview).isEqualTo(total.get(1) + total.get(2) + total.get(3));
        assertThat(total.get(0))
                .isEqualTo(overview.rows().stream().mapToLong(Row::inputs).sum());
        assertThat(total.get(3))
                .isEqualTo(overview.rows().stream().mapToLong(Row::inFlight).sum());
        for (Row row : overview.rows()) {
            assertThat(row.counts()).as("%s", row).allMatch(count -> count >= 0);
            assertThat(row.inputs()).as("%s", row).isEqualTo(row.outcomes() + row.inFlight());
            if (row.state().equals("Balanced")) {
                assertThat(row.inFlight()).as("%s", row).isZero();
            } else {
                assertThat(overview.state()).as("%s", overview).isNotEqualTo("Balanced");
            }
            if (overview.until() != null && row.until() != null) {
                assertThat(row.until()).as("%s", overview).isAfterOrEqualTo(overview.until());
            }
        }
    }

    private static void assertNoNegativeNumber(Page page) {
        assertThat(page.locator("main .num, main .number, main .tile-value, main .tile-detail, main .summary b")
                        .allInnerTexts())
                .noneMatch(text -> text.matches(".*[-\u2212]\\d.*"));
    }

    private static void assertCountsOfNow(Flow flow, Tab tab) {
        Page page = tab.page();
        Flow.Counts before = flow.counts();
        tab.go("#/conversations?namespace=" + NAMESPACE);
        Locator row =
                page.locator("table.conversations tbody tr").filter(new Locator.FilterOptions().setHasText(NAMESPACE));
        long messages = number(row.locator("td").nth(2).innerText());
        assertThat(messages).isBetween(before.messages(), (long) flow.counts().conversation());
        long errors = number(row.locator("td").nth(4).innerText());
        assertThat(errors).isBetween((long) before.verdict("REJECTED"), messages);
        assertNoNegativeNumber(page);

        before = flow.counts();
        tab.go("#/conversations/" + NAMESPACE + "/slip/" + Flow.CONVERSATION);
        List<String> counts = page.locator(".summary b").allInnerTexts();
        assertThat(number(counts.get(0)))
                .isBetween(before.messages(), (long) flow.counts().conversation())
                .isEqualTo(counts.stream()
                        .skip(1)
                        .mapToLong(ConsoleTrafficTest::number)
                        .sum());
        assertNoNegativeNumber(page);

        before = flow.counts();
        tab.go("#/dead-letters?namespace=" + NAMESPACE);
        long letters = number(page.locator(".group.all .number").innerText());
        assertThat(letters).isBetween((long) before.verdict("REJECTED") + before.verdict("UNDECODABLE"), (long)
                flow.counts().sent());
        assertThat(page.locator(".groups h2 .number").allInnerTexts().stream()
                        .mapToLong(ConsoleTrafficTest::number)
                        .sum())
                .isEqualTo(letters);
        assertNoNegativeNumber(page);

        tab.go("#/parked?namespace=" + NAMESPACE);
        assertThat(page.locator(".parked-table tbody tr").count())
                .isBetween(0, flow.counts().parked());
        assertNoNegativeNumber(page);
    }

    /** The records of the audit topic, read by the command line. */
    private static List<Judged> audit(Path directory) throws IOException, InterruptedException {
        assertThat(demo.shell(directory, "parley export --out all.jsonl")).endsWith("exit 0\n");
        List<Judged> records = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("all.jsonl"))) {
            record(JsonParser.parseString(line).getAsJsonObject()).ifPresent(record -> {
                JsonObject source = record.getAsJsonObject("source");
                records.add(new Judged(
                        source.get("topic").getAsString() + "-"
                                + source.get("partition").getAsInt(),
                        Instant.parse(source.get("timestamp").getAsString()),
                        record.get("verdict").getAsString(),
                        record.get("chain").getAsString(),
                        record.has("redaction") && !record.get("redaction").isJsonNull()));
            });
        }
        return records;
    }

    /** The audit record in an entry of an export, if it has one. */
    private static Optional<JsonObject> record(JsonObject entry) {
        return entry.has("source") && entry.has("verdict")
                ? Optional.of(entry)
                : entry.entrySet().stream()
                        .map(member -> member.getValue())
                        .filter(JsonElement::isJsonObject)
                        .map(JsonElement::getAsJsonObject)
                        .map(ConsoleTrafficTest::record)
                        .flatMap(Optional::stream)
                        .findFirst();
    }

    private static long count(List<Judged> audit, Predicate<Judged> wanted) {
        return audit.stream().filter(wanted).count();
    }

    @Test
    void everyNumberEqualsItsOwnCountWhileMessagesFlow(@TempDir Path directory)
            throws IOException, InterruptedException {
        List<Overview> overviews = new ArrayList<>();
        Flow.Counts sent;
        try (Tab tab = tab(Role.READER);
                Flow flow = Flow.start(demo, NAMESPACE)) {
            Page page = tab.page();
            Instant started = Instant.now();
            await().atMost(PATIENCE).until(() -> flow.counts().verdict("REJECTED") > 0);
            for (int round = 0; round < ROUNDS; round++) {
                tab.go("#/");
                assertThat(page.getByLabel("Accounting per partition")).isVisible();
                overviews.add(overview(page));
                assertBalancedOnlyIfEachPartitionIs(overviews.get(round));
                assertNoNegativeNumber(page);
                assertCountsOfNow(flow, tab);
            }
            // The end of the inputs moves on, and the time up to which they are balanced follows.
            Instant seen = Instant.now();
            tab.go("#/");
            await().atMost(PATIENCE).pollInSameThread().until(() -> {
                Overview shown = overview(page);
                assertBalancedOnlyIfEachPartitionIs(shown);
                overviews.add(shown);
                return shown.until() != null && shown.until().isAfter(seen);
            });
            sent = flow.end();

            await().atMost(PATIENCE)
                    .pollInSameThread()
                    .until(() -> overview(page).state().equals("Balanced"));
            Overview last = overview(page);
            assertBalancedOnlyIfEachPartitionIs(last);
            assertThat(page.getByRole(AriaRole.IMG, Tab.named("not read and"))).isVisible();
            List<Judged> audit = audit(directory);
            Map<String, Long> inputs = inputs(last);
            assertEqualTheTopics(last, inputs, audit);
            overviews.forEach(overview -> assertBalancedUpToItsTime(overview, started, inputs, flow));

            tab.go("#/conversations/" + NAMESPACE + "/slip/" + Flow.CONVERSATION);
            Predicate<Judged> own = record -> record.chain().startsWith(NAMESPACE + "|SLIP|");
            assertThat(page.locator(".summary b").allInnerTexts().stream().map(ConsoleTrafficTest::number))
                    .containsExactly(
                            (long) sent.conversation(),
                            count(audit, own.and(record -> record.is("ACCEPTED"))),
                            count(audit, own.and(record -> record.is("REJECTED"))));
            tab.go("#/parked?namespace=" + NAMESPACE);
            assertThat(page.locator(".parked-table tbody tr")).hasCount(Math.min(50, sent.parked()));
            tab.go("#/dead-letters?namespace=" + NAMESPACE);
            assertThat(page.locator(".group.all .number"))
                    .hasText(String.valueOf(
                            count(audit, own.and(record -> record.is("REJECTED"))) + sent.undecodable()));
        }
    }

    /** The number of records in each partition of the input topics, which the test reads. */
    private static Map<String, Long> inputs(Overview overview) {
        Set<String> topics = overview.rows().stream()
                .map(row -> row.input().replaceFirst("-\\d+$", ""))
                .collect(Collectors.toSet());
        return CommittedRecords.read(demo.brokers(), topics, new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .stream()
                .collect(Collectors.groupingBy(
                        record -> record.topic() + "-" + record.partition(), Collectors.counting()));
    }

    private static void assertEqualTheTopics(Overview overview, Map<String, Long> inputs, List<Judged> audit) {
        for (Row row : overview.rows()) {
            Predicate<Judged> own = record -> record.input().equals(row.input());
            assertThat(row.counts().subList(0, 5))
                    .as(row.input())
                    .containsExactly(
                            inputs.get(row.input()),
                            count(audit, own.and(record -> record.is("ACCEPTED"))),
                            count(audit, own.and(record -> record.is("REJECTED"))),
                            count(audit, own.and(record -> record.is("FLAGGED"))),
                            count(audit, own.and(record -> record.is("UNDECODABLE"))));
        }
    }

    /** At the time up to which a partition is balanced, each record that had entered it had an outcome. */
    private static void assertBalancedUpToItsTime(
            Overview overview, Instant started, Map<String, Long> inputs, Flow flow) {
        for (Row row : overview.rows()) {
            if (row.until() != null && row.until().isAfter(started)) {
                long later = flow.enteredSince(row.input(), row.until());
                assertThat(row.outcomes()).as("%s", row).isGreaterThanOrEqualTo(inputs.get(row.input()) - later);
            }
        }
    }

    @Test
    void countsByTheMinuteAreThoseOfTheAuditTrailUpToTheTimeThatThePageStates(@TempDir Path directory)
            throws IOException, InterruptedException {
        await().atMost(PATIENCE)
                .until(() -> demo.get("/v1/stats/traffic?by=none").body().contains("\"messages\""));
        List<Judged> audit = audit(directory);
        try (Tab tab = tab(Role.READER)) {
            assertCountsUpToTheirTime(tab, audit);
        }
    }

    /** Later minutes may be counted already. */
    private static void assertCountsUpToTheirTime(Tab tab, List<Judged> audit) {
        Page page = tab.page();
        tab.go("#/");
        Locator traffic = page.getByLabel("Traffic by verdict", new Page.GetByLabelOptions().setExact(true));
        Locator completeTo = traffic.locator(".aside time").first();
        assertThat(completeTo).isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(PATIENCE.toMillis()));
        Instant complete = Instant.parse(completeTo.getAttribute("datetime"));
        for (String verdict : List.of("Accepted", "Rejected", "Flagged", "Undecodable")) {
            Predicate<Judged> own = record -> record.is(verdict.toUpperCase(Locale.ROOT)) && !record.decision();
            assertThat(number(traffic.locator(".legend")
                            .filter(new Locator.FilterOptions().setHasText(verdict))
                            .locator("b")
                            .innerText()))
                    .as(verdict)
                    .isBetween(
                            count(audit, own.and(record -> record.time().isBefore(complete))),
                            count(audit, record -> record.is(verdict.toUpperCase(Locale.ROOT))));
        }
        tab.go("#/agents");
        Instant counted = Instant.parse(page.locator("main .note")
                .filter(new Locator.FilterOptions().setHasText("Counts:"))
                .locator("time")
                .first()
                .getAttribute("datetime"));
        assertThat(page.locator(".agents-table tbody td:nth-child(2)").allInnerTexts().stream()
                        .mapToLong(ConsoleTrafficTest::number)
                        .sum())
                .isBetween(
                        count(
                                audit,
                                record -> !record.decision() && record.time().isBefore(counted)),
                        (long) audit.size());
    }
}
