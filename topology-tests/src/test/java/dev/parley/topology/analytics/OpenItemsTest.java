package dev.parley.topology.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.OpenItem;
import dev.parley.avro.PatchCount;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Rule;
import dev.parley.avro.TurnaroundCount;
import dev.parley.items.ItemTracker;
import dev.parley.topology.analytics.AuditLoad.Audited;
import dev.parley.topology.pipeline.InputRecord;
import dev.parley.topology.pipeline.PipelineDriver;
import dev.parley.topology.topics.StatisticRow;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.AuditRecords;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bounds and ends of open items, and of the counts of patches. */
@Tag("long")
class OpenItemsTest {
    private static final Instant START = PipelineDriver.START;
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    private Path directory;

    /** Audit records of messages at the given times after the start. */
    private List<Audited> judged(InputRecord... messages) {
        try (PipelineDriver pipeline = PipelineDriver.in(directory.resolve("pipeline"), Map.of())) {
            for (InputRecord message : messages) {
                pipeline.send(message);
            }
            List<Audited> audit = new ArrayList<>();
            pipeline.auditRecords().forEach(record -> audit.add(new Audited(record.value(), record.getRecordTime())));
            return audit;
        }
    }

    private static InputRecord slip(String act, int turn, int task, Duration after) {
        return InputRecord.text("@" + act + "|c7|S0|d1|T" + turn + "|k" + task + "#")
                .to("parley.wire.slip")
                .at(START.plus(after));
    }

    private static InputRecord lambda(String sender, String wire, Duration after) {
        return InputRecord.text(wire)
                .to("parley.wire.lambda")
                .key("talk")
                .header("parley-sender", sender)
                .at(START.plus(after));
    }

    private static InputRecord subit(String sender, String type, String payload, Duration after) {
        return InputRecord.subit(type, payload)
                .to("parley.wire.subit")
                .key("session")
                .header("parley-sender", sender)
                .at(START.plus(after));
    }

    private static AuditRecord sentinel(Duration after) {
        return AuditRecords.accepted("sentinel", Protocol.SLIP, "7", 0, "A", START.plus(after));
    }

    private TrafficDriver driver() {
        return new TrafficDriver(directory.resolve("traffic"), TrafficSettings.DEFAULT);
    }

    private static List<TurnaroundCount> turnaround(TrafficDriver driver) {
        driver.audit(sentinel(Duration.ofDays(20)));
        driver.later(Duration.ofSeconds(3));
        return driver.rows(Topics::turnaround);
    }

    @Test
    void anItemIsListedUntilItsResult() throws Exception {
        List<Audited> audit = judged(
                slip("a3|f0", 1, 4, Duration.ZERO),
                slip("a5|f0", 2, 4, Duration.ofSeconds(2)),
                slip("a1|f2", 3, 4, Duration.ofMillis(4_500)));
        try (TrafficDriver driver = driver()) {
            driver.audit(audit.get(0));
            driver.audit(audit.get(1));
            assertThat(driver.openItems())
                    .containsExactly(Map.entry(
                            "default|SLIP|7|0",
                            new OpenItem("default", "SLIP", "7", 0L, "TASK", "4", null, "1", "0", START)));

            driver.restart();
            driver.audit(audit.get(2));

            assertThat(driver.openItems()).isEmpty();
            assertThat(turnaround(driver)).singleElement().satisfies(row -> {
                assertThat(row.getAgent()).isEqualTo("0");
                assertThat(row.getKind()).isEqualTo("TASK");
                assertThat(row.getOutcome()).isEqualTo("RESULT");
                assertThat(row.getTotalMs()).isEqualTo(4_500);
                assertThat(row.getWithin2s()).isZero();
                assertThat(row.getWithin5s()).isOne();
                assertThat(row.getWithin24h()).isOne();
            });
        }
    }

    @Test
    void anAnswerAfterTheIdleTimeClosesWithoutTurnaround() throws Exception {
        List<Audited> audit = judged(slip("a3|f0", 1, 4, Duration.ZERO), slip("a1|f2", 2, 4, DAY.plusMillis(1)));
        try (TrafficDriver driver = driver()) {
            audit.forEach(driver::audit);

            assertThat(driver.openItems()).isEmpty();
            assertThat(turnaround(driver)).isEmpty();
        }
    }

    @Test
    void anAnswerAtTheIdleTimeIsCounted() throws Exception {
        List<Audited> audit = judged(slip("a3|f0", 1, 4, Duration.ZERO), slip("a1|f2", 2, 4, DAY));
        try (TrafficDriver driver = driver()) {
            audit.forEach(driver::audit);

            assertThat(turnaround(driver))
                    .extracting(TurnaroundCount::getMaxMs, TurnaroundCount::getWithin24h)
                    .containsExactly(tuple(DAY.toMillis(), 1L));
        }
    }

    @Test
    void itemsOfASilentConversationEnd() throws Exception {
        List<Audited> audit = judged(lambda("A1", "?Uc/la", Duration.ZERO));
        try (TrafficDriver driver = driver()) {
            audit.forEach(driver::audit);
            driver.audit(sentinel(DAY.multipliedBy(2).minusSeconds(1)));
            driver.later(Duration.ofSeconds(2));
            assertThat(driver.openItems()).hasSize(1);

            driver.audit(sentinel(DAY.multipliedBy(2).plusSeconds(1)));
            driver.later(Duration.ofSeconds(2));

            assertThat(driver.openItems()).isEmpty();
            assertThat(driver.tracked()).isEmpty();
        }
    }

    @Test
    void aConversationWithVeryManyOpenItemsLosesOnlyItsOwn() throws Exception {
        List<InputRecord> flood = new ArrayList<>();
        flood.add(lambda("A1", "?Uc/la", Duration.ZERO));
        IntStream.rangeClosed(1, 300).forEach(i -> flood.add(slip("a3|f0", i, i, Duration.ofMillis(i))));
        List<Audited> audit = judged(flood.toArray(InputRecord[]::new));
        try (TrafficDriver driver = driver()) {
            audit.forEach(driver::audit);

            assertThat(driver.openItems().keySet())
                    .hasSize(ItemTracker.MAX_ITEMS + 1)
                    .contains("default|LAMBDA|talk|0", "default|SLIP|7|299")
                    .doesNotContain("default|SLIP|7|0");
            assertThat(driver.tracked().keySet())
                    .filteredOn(key -> key.startsWith("default|SLIP|7|"))
                    .hasSize(ItemTracker.MAX_ITEMS);
        }
    }

    @Test
    void veryManyConversationsWithOpenItemsEvictTheLeastRecentlyActive() throws Exception {
        AuditRecord question =
                judged(lambda("A1", "?Uc/la", Duration.ZERO)).get(0).record();
        AuditRecord answer = judged(
                        lambda("A1", "?Uc/la", Duration.ZERO), lambda("A2", "!Ic/la", Duration.ofSeconds(9)))
                .get(1)
                .record();
        try (TrafficDriver driver = new TrafficDriver(
                directory.resolve("traffic"), TrafficDriver.settings(TrafficSettings.DEFAULT.maxKeys(), 50))) {
            for (int i = 0; i < 500; i++) {
                AuditRecord one = AuditRecord.newBuilder(question).build();
                one.setChain("default|LAMBDA|flood-" + i);
                one.getSource().setTimestamp(START.plusMillis(i));
                driver.audit(one);
                if (i % 100 == 99) {
                    driver.restart();
                }
                if (i == 480) {
                    question.getSource().setTimestamp(START.plusMillis(i));
                    driver.audit(question);
                }
            }
            assertThat(driver.openItems()).hasSize(50).containsKey("default|LAMBDA|talk|0");
            // Each conversation and its item.
            assertThat(driver.tracked()).hasSize(100);

            driver.audit(answer);

            assertThat(driver.openItems()).hasSize(49);
            assertThat(turnaround(driver))
                    .extracting(TurnaroundCount::getItems, TurnaroundCount::getKind, TurnaroundCount::getAgent)
                    .containsExactly(tuple(1L, "QUESTION", "A2"));
        }
    }

    @Test
    void aMessageWritesOnlyTheItemsThatItConcerns() throws Exception {
        List<InputRecord> messages = new ArrayList<>();
        IntStream.rangeClosed(1, ItemTracker.MAX_ITEMS)
                .forEach(i -> messages.add(slip("a3|f0", i, i, Duration.ofMillis(i))));
        messages.add(slip("a5|f0", 101, 7, Duration.ofSeconds(1)));
        messages.add(slip("a1|f2", 102, 7, Duration.ofSeconds(2)));
        List<Audited> audit = judged(messages.toArray(InputRecord[]::new));
        try (TrafficDriver driver = driver()) {
            for (Audited entry : audit) {
                driver.audit(entry);
                assertThat(driver.bytesOfItems()).isBetween(1L, 200L);
            }
            driver.restart();
            assertThat(driver.openItems()).hasSize(ItemTracker.MAX_ITEMS - 1);
        }
    }

    @Test
    void renewedCyclesKeepTheirOrderAfterARestart() throws Exception {
        List<Audited> audit = judged(
                subit("A", "STATE", "000110", Duration.ZERO),
                subit("A", "INTENT", "000110110001", Duration.ofSeconds(1)),
                subit("B", "INTENT", "000110110001", Duration.ofSeconds(2)),
                subit("A", "INTENT", "000110110001", Duration.ofSeconds(3)),
                subit("C", "ACTION", "000110110001", Duration.ofSeconds(4)));
        assertThat(audit).allMatch(entry -> entry.record().getCode() == null);
        try (TrafficDriver driver = driver()) {
            audit.subList(0, 4).forEach(driver::audit);
            assertThat(driver.openItems()).hasSize(2);
            driver.restart();

            driver.audit(audit.get(4));

            assertThat(driver.openItems().values())
                    .singleElement()
                    .extracting(OpenItem::getAgent)
                    .isEqualTo("B");
        }
    }

    @Test
    void veryLongNamesAreTrackedByTheirHash() throws Exception {
        String agent = "A" + "x".repeat(2_000);
        List<Audited> audit = judged(
                lambda(agent, "?Uc/la", Duration.ZERO),
                lambda(agent, "!Ic/la", Duration.ofSeconds(1)),
                lambda("A2", "!Ic/la", Duration.ofSeconds(2)));
        try (TrafficDriver driver = driver()) {
            driver.audit(audit.get(0));
            driver.audit(audit.get(1));
            assertThat(driver.openItems().values())
                    .singleElement()
                    .extracting(OpenItem::getRequester)
                    .isNull();
            assertThat(driver.tracked().get("default|LAMBDA|talk|0").toString().length())
                    .isLessThan(1_000);

            driver.audit(audit.get(2));

            assertThat(driver.openItems()).isEmpty();
            assertThat(turnaround(driver)).extracting(TurnaroundCount::getAgent).containsExactly("A2");
        }
    }

    @Test
    void aVeryLongChainIsNotTracked() throws Exception {
        AuditRecord question =
                judged(lambda("A1", "?Uc/la", Duration.ZERO)).get(0).record();
        question.setChain("default|LAMBDA|" + "x".repeat(OpenItemStore.MAX_CHAIN_LENGTH));
        try (TrafficDriver driver = driver()) {
            driver.audit(question);

            assertThat(driver.openItems()).isEmpty();
            assertThat(driver.tracked()).isEmpty();
        }
    }

    @Test
    void aRedactionHidesNamesAndTheItemStillCloses() throws Exception {
        List<Audited> audit = judged(slip("a3|f0", 1, 4, Duration.ZERO), slip("a1|f2", 2, 4, Duration.ofSeconds(1)));
        AuditRecord request = audit.get(0).record();
        AuditRecord redaction = AuditRecords.redacting(AuditRecords.redaction(request), 1);
        try (TrafficDriver driver = driver()) {
            driver.audit(request);
            driver.audit(redaction);
            assertThat(driver.openItems().values())
                    .singleElement()
                    .extracting(OpenItem::getItem, OpenItem::getAgent, OpenItem::getRequester, OpenItem::getKind)
                    .containsExactly(null, null, null, "TASK");
            assertThat(driver.tracked().toString()).doesNotContain("\"item\": \"4\"");

            driver.audit(audit.get(1));

            assertThat(driver.openItems()).isEmpty();
        }
    }

    @Test
    void anApprovalHidesNoNames() throws Exception {
        AuditRecord request = judged(slip("a3|f0", 1, 4, Duration.ZERO)).get(0).record();
        Redaction approval = AuditRecords.redaction(request);
        approval.setApproves(true);
        try (TrafficDriver driver = driver()) {
            driver.audit(request);
            driver.audit(AuditRecords.redacting(approval, 1));
            assertThat(driver.openItems().values())
                    .singleElement()
                    .extracting(OpenItem::getItem)
                    .isEqualTo("4");
        }
    }

    @Test
    void hostileRecordsOfTheAuditTopicStopNothing() throws Exception {
        List<Rule> rules = List.of(
                new Rule("", "", "", "", "", ""),
                new Rule("1.4", "S", "NEW × REQUEST → REQUESTED", "NEW", "REQUEST", "REQUESTED"),
                new Rule("x", "x", "x", "a", "b", null),
                new Rule("1.4", "S", "x", null, null, "nothing"),
                new Rule("4.3", "S", "x", "nothing", null, "IDLE"));
        List<Audited> audit = judged(slip("a3|f0", 1, 4, Duration.ZERO), lambda("A1", "?Uc/la", Duration.ZERO));
        try (TrafficDriver driver = driver()) {
            for (String chain : List.of("", "|", "||", "default|nothing", "default|SLIP|7", "default|SLIP|7")) {
                for (Rule rule : rules) {
                    for (Audited entry : audit) {
                        entry.record().setChain(chain);
                        entry.record().setRule(rule);
                        driver.audit(entry.record());
                    }
                }
            }
            driver.audit(sentinel(Duration.ofHours(1)));
            driver.later(Duration.ofSeconds(3));

            assertThat(driver.openItems().values())
                    .allMatch(item -> item.getConversation().equals("7"));
            assertThat(driver.rows(Topics::traffic)).isNotEmpty();
        }
    }

    @Test
    void operationsOfOnePatchAreBounded() throws Exception {
        Audited patch = judged(InputRecord.patch("plan", "P1", "C0", "C1", "+ DEF A = 1")
                        .at(START))
                .get(0);
        int operations = 5_000;
        patch.record()
                .getMessage()
                .getCsp()
                .setOperations(IntStream.range(0, operations)
                        .mapToObj(i -> new CspOperation(CspOperator.ADD, "N" + i, "1"))
                        .toList());
        try (TrafficDriver driver = driver()) {
            driver.audit(patch);
            driver.audit(sentinel(Duration.ofHours(1)));
            driver.later(Duration.ofSeconds(3));

            List<DefinitionChangeCount> rows = driver.rows(Topics::definitionChange);
            assertThat(rows).hasSize(PatchCounts.MAX_OPERATIONS + 1);
            assertThat(rows.stream().mapToLong(DefinitionChangeCount::getAdded).sum())
                    .isEqualTo(operations);
            assertThat(rows)
                    .filteredOn(row -> Boolean.TRUE.equals(row.getOther()))
                    .singleElement()
                    .extracting(DefinitionChangeCount::getDefinition)
                    .isEqualTo(StatisticRow.OTHER_NAME);
        }
    }

    @Test
    void aParkedPatchIsCountedWithItsParkingTime() throws Exception {
        List<Audited> audit = judged(
                InputRecord.patch("plan", "P2", "C1", "C2", "+ DEF B = 1").at(START),
                InputRecord.patch("plan", "P3", "GONE", "C9", "+ DEF B = 1").at(START.plusSeconds(1)),
                InputRecord.patch("plan", "P1", "C0", "C1", "+ DEF A = 1").at(START.plusSeconds(30)),
                InputRecord.patch("plan", "P4", "C0", "C4", "+ DEF A = 1").at(START.plus(Duration.ofHours(2))));
        try (TrafficDriver driver = driver()) {
            audit.forEach(driver::audit);
            driver.audit(sentinel(Duration.ofHours(4)));
            driver.later(Duration.ofSeconds(3));

            List<PatchCount> rows = driver.rows(Topics::patch);
            assertThat(rows.stream().mapToLong(PatchCount::getReleased).sum()).isOne();
            assertThat(rows.stream().mapToLong(PatchCount::getExpired).sum()).isOne();
            assertThat(rows.stream().mapToLong(PatchCount::getApplied).sum()).isEqualTo(3);
            assertThat(rows.stream().mapToLong(PatchCount::getBranches).sum()).isOne();
            assertThat(rows)
                    .filteredOn(row -> row.getReleased() == 1)
                    .singleElement()
                    .extracting(PatchCount::getTotalParkedMs, PatchCount::getMaxParkedMs)
                    .containsExactly(30_000L, 30_000L);
            assertThat(rows)
                    .filteredOn(row -> row.getExpired() == 1)
                    .singleElement()
                    .satisfies(row -> {
                        assertThat(row.getCode()).isEqualTo("CSP_UNKNOWN_BASE");
                        assertThat(row.getVerdict()).isEqualTo("REJECTED");
                        assertThat(row.getTotalParkedMs()).isGreaterThanOrEqualTo(3_600_000L);
                    });
        }
    }

    @Test
    void aForgedTimeOfAVerdictCountsAtMostUntilNow() throws Exception {
        Audited patch = judged(InputRecord.patch("plan", "P1", "C0", "C1", "+ DEF A = 1")
                        .at(START))
                .get(0);
        try (TrafficDriver driver = driver()) {
            for (String time : List.of(
                    "", "tomorrow", "+999999999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z")) {
                driver.audit(patch.record(), time);
            }
            driver.audit(sentinel(Duration.ofHours(1)));
            driver.later(Duration.ofSeconds(3));

            assertThat(driver.rows(Topics::patch))
                    .singleElement()
                    .satisfies(row -> assertThat(row.getMaxParkedMs())
                            .isBetween(0L, Duration.ofDays(31).toMillis()));
        }
    }
}
