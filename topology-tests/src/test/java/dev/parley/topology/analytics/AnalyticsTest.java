package dev.parley.topology.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.Protocol;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.Verdict;
import dev.parley.avro.ViolationCount;
import dev.parley.topology.analytics.AuditLoad.Audited;
import dev.parley.topology.pipeline.PipelineDriver;
import dev.parley.topology.topics.StatisticRow;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.AuditRecords;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the analytics topics with an independent count over the audit records of a random load. */
@Tag("long")
class AnalyticsTest {
    private static final int RECORDS = 3_000;
    private static final long SEED = Long.getLong("analytics.seed", 11);

    private static List<Audited> load;

    @TempDir
    private Path directory;

    @BeforeAll
    static void judgeARandomLoad(@TempDir Path directory) {
        load = AuditLoad.judged(directory, SEED, RECORDS);
        assertThat(load).hasSizeGreaterThan(RECORDS / 2);
    }

    private TrafficDriver driver(int maxKeys) {
        return new TrafficDriver(directory, maxKeys);
    }

    /** Closes all minutes of the load; the records that do this stay in open minutes. */
    private static void closeMinutes(TrafficDriver driver, RowTotals rows) {
        driver.audit(sentinel(Duration.ofHours(1)));
        // More than one slice of counts and rows.
        driver.later(Duration.ofSeconds(3));
        rows.addAll(driver);
    }

    private static AuditRecord sentinel(Duration afterStart) {
        return AuditRecords.accepted("sentinel", Protocol.SLIP, "7", 0, "A", PipelineDriver.START.plus(afterStart));
    }

    @Test
    void everyNumberEqualsAnIndependentCountAcrossRestarts() throws Exception {
        List<Audited> records = load;
        Random random = new Random(SEED);
        AuditTotals expected = new AuditTotals(TrafficSettings.DEFAULT.grace());
        RowTotals rows = new RowTotals();
        try (TrafficDriver driver = driver(TrafficSettings.DEFAULT.maxKeys())) {
            for (Audited record : records) {
                expected.add(record);
                driver.audit(record);
                if (random.nextInt(400) == 0) {
                    rows.addAll(driver);
                    driver.restart();
                }
                if (random.nextInt(100) == 0) {
                    driver.later(Duration.ofMillis(random.nextInt(3_000)));
                }
            }
            closeMinutes(driver, rows);

            assertThat(rows.differences(expected.totals()))
                    .as("analytics.seed=%d", SEED)
                    .isEmpty();
            assertThat(driver.openItems())
                    .as("analytics.seed=%d", SEED)
                    .isEqualTo(expected.open())
                    .isNotEmpty();
            assertThat(rows.totals().keySet())
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("TASK / null / RESULT"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("TASK / null / REFUSED"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("TASK / null / FAILED"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("QUERY / null / RESULT"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("QUESTION / null / RESULT"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("QUESTION / null / REFUSED"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("OFFER / null / RESULT"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("OFFER / null / REFUSED"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("OFFER / null / FAILED"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("CYCLE / null / RESULT"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("CYCLE / null / FAILED"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("QUERY / review / RESULT"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("TASK / tool-1 / RESULT"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("TASK / tool-1 / FAILED"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("TASK / tool-1 / ERROR"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("TASK / tool-1 / REFUSED"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("TASK / tool-1 / CANCELED"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("TASK / tool-1 / LATE"))
                    .anyMatch(row -> row.startsWith("turnaround") && row.contains("TASK / tool-1 / HUNG"))
                    .anyMatch(row -> row.startsWith("patch") && row.endsWith("released"))
                    .anyMatch(row -> row.startsWith("patch") && row.endsWith("branches"))
                    .anyMatch(row -> row.startsWith("patch") && row.endsWith("duplicates"))
                    .anyMatch(row -> row.startsWith("definition") && row.endsWith("REMOVE"))
                    .anyMatch(row -> row.startsWith("violation") && row.contains("DECODE_ERROR"))
                    .anyMatch(row -> row.startsWith("violation") && row.contains("VIOLATION"))
                    .anyMatch(row -> row.startsWith("violation") && row.contains("WARNING"))
                    .anyMatch(row -> row.startsWith("edge") && row.endsWith("rejected"));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void recordsInAnyOrderAreCountedOnceAsLateOrInTheirMinute(long seed) throws Exception {
        List<Audited> records = shuffled(new Random(seed));
        AuditTotals expected = new AuditTotals(TrafficSettings.DEFAULT.grace());
        RowTotals rows = new RowTotals();
        try (TrafficDriver driver = driver(TrafficSettings.DEFAULT.maxKeys())) {
            for (Audited record : records) {
                expected.add(record);
                driver.audit(record);
                if (expected.advanced()) {
                    // Forwards all counts of a minute: which of the next records are late depends on it.
                    driver.later(Duration.ofMillis(500));
                }
            }
            closeMinutes(driver, rows);

            assertThat(rows.differences(expected.totals())).as("seed %d", seed).isEmpty();
            assertThat(driver.openItems()).as("seed %d", seed).isEqualTo(expected.open());
            assertThat(rows.totals().keySet()).anyMatch(row -> row.contains("late"));
        }
    }

    @Test
    void claimedSendersAreCountedApartFromThoseOfMessages() throws Exception {
        try (TrafficDriver driver = driver(20)) {
            driver.audit(from("honest", 0));
            driver.audit(claimed("honest", "@a3|f9", 1));
            driver.audit(claimed("honest", "@a3|f9|prv:", 2));
            driver.audit(from("honest", 600));

            assertThat(driver.rows(Topics::traffic))
                    .extracting(TrafficCount::getVerdict, TrafficCount::getNamespace, TrafficCount::getSender)
                    .containsExactlyInAnyOrder(
                            tuple("ACCEPTED", "default", "honest"),
                            tuple("UNDECODABLE", "plant", "honest"),
                            // Rows have no masking.
                            tuple("UNDECODABLE", "", null));
            assertThat(driver.rows(Topics::violation))
                    .extracting(ViolationCount::getKind, ViolationCount::getProtocol, ViolationCount::getSender)
                    .containsExactlyInAnyOrder(
                            tuple("DECODE_ERROR", "SLIP", "honest"), tuple("DECODE_ERROR", "SLIP", null));
            assertThat(driver.rows(Topics::edge))
                    .extracting(EdgeCount::getMessages)
                    .containsExactly(1L);
        }
    }

    @Test
    void inventedClaimsBeyondTheMaximumShareOneRow() throws Exception {
        int maxKeys = 20;
        try (TrafficDriver driver = driver(maxKeys)) {
            driver.audit(from("honest", 0));
            driver.audit(from("honest", 0));
            for (int i = 0; i < 1_000; i++) {
                driver.audit(claimed("sender-" + i, "@a3", 1));
            }
            driver.audit(from("honest", 600));

            List<TrafficCount> rows = driver.rows(Topics::traffic);
            assertThat(rows).hasSize(maxKeys + 1);
            assertThat(rows)
                    .filteredOn(row -> "honest".equals(row.getSender()))
                    .extracting(TrafficCount::getMessages)
                    .containsExactly(2L);
        }
    }

    private static AuditRecord claimed(String sender, String raw, int second) {
        AuditRecord record = AuditRecords.undecodable(0, second);
        record.setSource(from("any", second).getSource());
        record.setRaw(ByteBuffer.wrap(raw.getBytes(StandardCharsets.UTF_8)));
        record.setClaims(new Claims("SLIP", "plant", "7", sender));
        return record;
    }

    @Test
    void inventedSendersBeyondTheMaximumShareOneRow() throws Exception {
        int maxKeys = 20;
        try (TrafficDriver driver = driver(maxKeys)) {
            driver.audit(from("honest", 0));
            driver.audit(from("honest", 0));
            for (int i = 0; i < 1_000; i++) {
                driver.audit(from("sender-" + i, 1));
                if (i == 500) {
                    driver.restart();
                    driver.audit(from("honest", 1));
                }
            }
            driver.audit(from("honest", 600));

            List<EdgeCount> edges = driver.rows(Topics::edge);
            assertThat(edges).hasSize(maxKeys + 1);
            assertThat(edges.stream().mapToLong(EdgeCount::getMessages).sum()).isEqualTo(1_003);
            assertThat(edges)
                    .filteredOn(edge -> Boolean.TRUE.equals(edge.getOther()))
                    .singleElement()
                    .satisfies(edge -> {
                        assertThat(edge.getSender()).isEqualTo(StatisticRow.OTHER_NAME);
                        assertThat(edge.getNamespace()).isEqualTo(StatisticRow.OTHER_NAME);
                        assertThat(edge.getProtocol()).isEqualTo("SLIP");
                    });
            assertThat(edges)
                    .filteredOn(edge -> edge.getSender().equals("honest"))
                    .extracting(EdgeCount::getMessages)
                    .containsExactly(3L);
            assertThat(driver.rows(Topics::traffic)).hasSize(maxKeys + 1);
        }
    }

    @Test
    void agentNamedOtherIsNotTheOtherRow() throws Exception {
        try (TrafficDriver driver = driver(2)) {
            driver.audit(from(StatisticRow.OTHER_NAME, 0));
            driver.audit(from("B", 0));
            driver.audit(from("C", 0));
            driver.audit(from("B", 600));

            assertThat(driver.rows(Topics::edge))
                    .extracting(EdgeCount::getSender, EdgeCount::getOther)
                    .containsExactlyInAnyOrder(
                            tuple(StatisticRow.OTHER_NAME, false),
                            tuple("B", false),
                            tuple(StatisticRow.OTHER_NAME, true));
        }
    }

    @Test
    void recipientsOfOneMessageAreBounded() throws Exception {
        int recipients = 10_000;
        AuditRecord record = from("A", 0);
        record.getMessage()
                .setRecipients(IntStream.range(0, recipients)
                        .mapToObj(i -> "agent-" + i)
                        .toList());
        try (TrafficDriver driver = driver(TrafficSettings.DEFAULT.maxKeys())) {
            driver.audit(record);
            driver.audit(from("A", 600));

            List<EdgeCount> edges = driver.rows(Topics::edge);
            assertThat(edges).hasSize(MessageCounts.MAX_RECIPIENTS + 1);
            assertThat(edges.stream().mapToLong(EdgeCount::getAccepted).sum()).isEqualTo(recipients);
        }
    }

    @Test
    void aRecipientNamedTwiceIsCountedOnce() throws Exception {
        AuditRecord record = from("A", 0);
        record.getMessage().setRecipients(List.of("B", "B", "C"));
        try (TrafficDriver driver = driver(100)) {
            driver.audit(record);
            driver.audit(from("A", 600));

            assertThat(driver.rows(Topics::edge))
                    .extracting(EdgeCount::getRecipient, EdgeCount::getMessages)
                    .containsExactlyInAnyOrder(tuple("B", 1L), tuple("C", 1L));
        }
    }

    @Test
    void longNamesAreCountedAsOther() throws Exception {
        try (TrafficDriver driver = driver(100)) {
            driver.audit(from("x".repeat(4_096), 0));
            driver.audit(from("A", 600));

            assertThat(driver.rows(Topics::edge))
                    .extracting(EdgeCount::getSender, EdgeCount::getOther)
                    .containsExactly(tuple(StatisticRow.OTHER_NAME, true));
        }
    }

    @Test
    void inventedCodesAndRepeatedWarningsMakeNoRows() throws Exception {
        AuditRecord record = from("A", 0);
        record.setVerdict(Verdict.REJECTED.name());
        record.setCode("INVENTED_" + "x".repeat(1_000));
        List<String> warnings = new ArrayList<>(List.of("SLIP_FIELD_ORDER", "SLIP_FIELD_ORDER"));
        IntStream.range(0, 1_000).forEach(i -> warnings.add("INVENTED_" + i));
        record.setWarnings(warnings);
        try (TrafficDriver driver = driver(100)) {
            driver.audit(record);
            driver.audit(from("A", 600));

            assertThat(driver.rows(Topics::violation))
                    .extracting(ViolationCount::getKind, ViolationCount::getCode, ViolationCount::getMessages)
                    .containsExactlyInAnyOrder(
                            tuple("VIOLATION", "UNKNOWN", 1L),
                            tuple("WARNING", "SLIP_FIELD_ORDER", 1L),
                            tuple("WARNING", "UNKNOWN", 1L));
        }
    }

    @Test
    void decodeErrorHasTheProtocolOfItsCode() throws Exception {
        AuditRecord record = AuditRecords.undecodable(0, 0);
        record.setCode("CSP_BAD_UTF8");
        try (TrafficDriver driver = driver(100)) {
            driver.audit(record);
            driver.audit(from("A", 600));

            assertThat(driver.rows(Topics::violation))
                    .extracting(
                            ViolationCount::getKind,
                            ViolationCount::getProtocol,
                            ViolationCount::getNamespace,
                            ViolationCount::getSender)
                    .containsExactly(tuple("DECODE_ERROR", "CSP", "", null));
        }
    }

    /** The records in an order that keeps that of each chain. */
    private static List<Audited> shuffled(Random random) {
        List<Audited> records = new ArrayList<>(load);
        for (int i = 0; i < records.size(); i++) {
            Collections.swap(records, i, Math.min(records.size() - 1, i + random.nextInt(1_500)));
        }
        Map<String, Iterator<Audited>> chains =
                load.stream()
                        .collect(Collectors.groupingBy(entry -> entry.record().getChain()))
                        .entrySet()
                        .stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, chain -> chain.getValue().iterator()));
        records.replaceAll(entry -> chains.get(entry.record().getChain()).next());
        return records;
    }

    private static AuditRecord from(String sender, long second) {
        return AuditRecords.accepted(
                "default", Protocol.SLIP, "7", second, sender, AuditRecords.NOON.plusSeconds(second));
    }
}
