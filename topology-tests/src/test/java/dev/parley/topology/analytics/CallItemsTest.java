package dev.parley.topology.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.OpenItem;
import dev.parley.avro.Protocol;
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
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outcomes of the requests of MCP: which answer belongs to which request, and what counts without an answer. */
@Tag("long")
class CallItemsTest {
    private static final Instant START = PipelineDriver.START;
    private static final Duration DAY = Duration.ofDays(1);
    private static final String RESULT = "\"result\":{\"content\":[]}";
    private static final String CANCEL =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}";

    @TempDir
    private Path directory;

    private final List<InputRecord> messages = new ArrayList<>();

    private void add(String direction, String exchange, String wire, Duration after, String... headers) {
        InputRecord message = InputRecord.text(wire)
                .to("parley.wire.mcp")
                .key("session")
                .header("parley-direction", direction)
                .at(START.plus(after));
        message = exchange == null ? message : message.header("parley-exchange", exchange);
        for (int i = 0; i < headers.length; i += 2) {
            message = message.header(headers[i], headers[i + 1]);
        }
        messages.add(message);
    }

    private void client(String exchange, String wire, int second, String... headers) {
        add("client-to-server", exchange, wire, Duration.ofSeconds(second), headers);
    }

    private void server(String exchange, String wire, int second, String... headers) {
        add("server-to-client", exchange, wire, Duration.ofSeconds(second), headers);
    }

    private static String call(int id, String tool) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\"}}";
    }

    private static String answer(int id, String members) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ',' + members + '}';
    }

    /** Audit records of the messages. */
    private List<AuditRecord> judged() {
        try (PipelineDriver pipeline = PipelineDriver.in(directory.resolve("pipeline"), Map.of())) {
            messages.forEach(pipeline::send);
            List<AuditRecord> audit = new ArrayList<>();
            pipeline.auditRecords().forEach(record -> audit.add(record.value()));
            return audit;
        }
    }

    private TrafficDriver driver() {
        return new TrafficDriver(directory.resolve("traffic"), TrafficSettings.DEFAULT);
    }

    private static AuditRecord sentinel(Duration after) {
        return AuditRecords.accepted("sentinel", Protocol.SLIP, "7", 0, "A", START.plus(after));
    }

    /** Name, outcome and time of the rows at the end of a time. */
    private static List<Tuple> outcomes(TrafficDriver driver, Duration end) {
        driver.audit(sentinel(end));
        driver.later(Duration.ofSeconds(3));
        driver.audit(sentinel(end.plus(Duration.ofHours(1))));
        driver.later(Duration.ofSeconds(3));
        return driver.rows(Topics::turnaround).stream()
                .map(row -> tuple(row.getName(), row.getOutcome(), row.getTotalMs()))
                .toList();
    }

    private static List<Tuple> outcomes(TrafficDriver driver) {
        return outcomes(driver, Duration.ofHours(1));
    }

    @Test
    void twoClientsWithTheSameIdsGetTheirOwnAnswers() throws Exception {
        client("a", call(1, "slow"), 0);
        client("b", call(1, "quick"), 1);
        client("c", call(1, "unanswered"), 2);
        server("b", answer(1, "\"result\":{\"content\":[],\"isError\":true}"), 3, "parley-http-status", "200");
        server("a", answer(1, RESULT), 9, "parley-http-status", "200");
        try (TrafficDriver driver = driver()) {
            judged().forEach(driver::audit);
            assertThat(driver.openItems().values())
                    .extracting(OpenItem::getName, OpenItem::getItem)
                    .containsExactly(tuple("unanswered", "1"));

            assertThat(outcomes(driver))
                    .containsExactlyInAnyOrder(tuple("slow", "RESULT", 9_000L), tuple("quick", "FAILED", 2_000L));
        }
    }

    @Test
    void anAnswerOnAnotherStreamBelongsToTheLatestOpenRequest() throws Exception {
        client("a", call(1, "first"), 0);
        client("b", call(1, "second"), 1);
        server("stream", answer(1, "\"error\":{\"code\":-32602,\"message\":\"\"}"), 3);
        server("stream", answer(1, RESULT), 4);
        try (TrafficDriver driver = driver()) {
            judged().forEach(driver::audit);

            assertThat(outcomes(driver))
                    .containsExactlyInAnyOrder(tuple("second", "ERROR", 2_000L), tuple("first", "RESULT", 4_000L));
        }
    }

    @Test
    void anHttpErrorRefusesTheRequestsOfItsExchangeAlone() throws Exception {
        client("a", call(1, "refused"), 0);
        client("b", call(1, "other"), 0);
        client("c", call(2, "unparsed"), 0);
        server("a", "<html>", 1, "parley-http-status", "403");
        server("c", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"\"}}", 2);
        try (TrafficDriver driver = driver()) {
            judged().forEach(driver::audit);
            assertThat(driver.openItems().values())
                    .extracting(OpenItem::getName)
                    .containsExactly("other");

            assertThat(outcomes(driver))
                    .containsExactlyInAnyOrder(tuple("refused", "REFUSED", 1_000L), tuple("unparsed", "ERROR", 2_000L));
        }
    }

    @Test
    void aCanceledRequestIsNoLongerOpenAndItsAnswerIsLate() throws Exception {
        client(null, call(1, "search"), 0);
        client(null, CANCEL, 2);
        client(null, CANCEL, 3);
        server(null, answer(1, RESULT), 5);
        server(null, answer(1, RESULT), 6);
        List<AuditRecord> audit = judged();
        try (TrafficDriver driver = driver()) {
            driver.audit(audit.get(0));
            driver.audit(audit.get(1));
            driver.audit(audit.get(2));
            assertThat(driver.openItems()).isEmpty();
            driver.restart();
            driver.audit(audit.get(3));
            driver.audit(audit.get(4));
            assertThat(driver.openItems()).isEmpty();
            assertThat(driver.tracked()).isEmpty();

            assertThat(outcomes(driver))
                    .containsExactlyInAnyOrder(tuple("search", "CANCELED", 2_000L), tuple("search", "LATE", 5_000L));
        }
    }

    @Test
    void aRedactionHidesTheNameAndKeepsACanceledRequestClosed() throws Exception {
        client(null, call(1, "secret"), 0);
        client(null, CANCEL, 1);
        client(null, call(2, "secret"), 2);
        server(null, answer(1, RESULT), 3);
        server(null, answer(2, RESULT), 4);
        List<AuditRecord> audit = judged();
        try (TrafficDriver driver = driver()) {
            audit.subList(0, 3).forEach(driver::audit);
            driver.audit(AuditRecords.redacting(AuditRecords.redaction(audit.get(2)), 9));
            assertThat(driver.openItems().values())
                    .singleElement()
                    .extracting(OpenItem::getItem, OpenItem::getName)
                    .containsExactly(null, null);
            assertThat(driver.tracked().toString()).doesNotContain("secret");
            audit.subList(3, 5).forEach(driver::audit);

            assertThat(outcomes(driver))
                    .containsExactlyInAnyOrder(
                            tuple("secret", "CANCELED", 1_000L),
                            tuple(null, "LATE", 3_000L),
                            tuple(null, "RESULT", 2_000L));
        }
    }

    @Test
    void requestsAtTheEndOfTheCaptureAreHungUnlessMessagesWereLost() throws Exception {
        client(null, call(1, "lost"), 0);
        server(null, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}", 1, "parley-capture", "gap");
        client(null, call(2, "hung"), 2);
        client(null, call(3, "last"), 3);
        client(null, CANCEL.replace("1", "9"), 4);
        server(null, answer(3, RESULT), 5, "parley-capture", "end");
        try (TrafficDriver driver = driver()) {
            judged().forEach(driver::audit);
            assertThat(driver.openItems()).isEmpty();

            assertThat(outcomes(driver))
                    .containsExactlyInAnyOrder(tuple("hung", "HUNG", 3_000L), tuple("last", "RESULT", 2_000L));
        }
    }

    @Test
    void aSubscriptionAwaitsNoResult() throws Exception {
        client(null, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{}}", 0);
        try (TrafficDriver driver = driver()) {
            judged().forEach(driver::audit);

            assertThat(driver.openItems()).isEmpty();
        }
    }

    @Test
    void aRequestThatBrokeARuleHasItsOutcome() throws Exception {
        client(null, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{}}", 0);
        server(null, answer(1, "\"error\":{\"code\":-32602,\"message\":\"\"}"), 1);
        List<AuditRecord> audit = judged();
        assertThat(audit.get(0).getCode()).isEqualTo("MCP_PARAMETER");
        try (TrafficDriver driver = driver()) {
            audit.forEach(driver::audit);

            assertThat(outcomes(driver)).containsExactly(tuple(null, "ERROR", 1_000L));
        }
    }

    @Test
    void aRequestThatIsIdleIsHung() throws Exception {
        client(null, call(1, "idle"), 0);
        add("client-to-server", null, call(2, "next"), DAY.plusMillis(1));
        try (TrafficDriver driver = driver()) {
            judged().forEach(driver::audit);
            assertThat(driver.openItems().values())
                    .extracting(OpenItem::getName)
                    .containsExactly("next");

            assertThat(outcomes(driver, DAY.plusHours(1))).containsExactly(tuple("idle", "HUNG", DAY.toMillis() + 1));
        }
    }

    @Test
    void requestsOfASilentSessionAreHungAndItsCanceledOnesAreNot() throws Exception {
        client(null, call(1, "canceled"), 0);
        client(null, CANCEL, 1);
        client(null, call(2, "silent"), 2);
        try (TrafficDriver driver = driver()) {
            judged().forEach(driver::audit);
            driver.restart();

            assertThat(outcomes(driver, DAY.multipliedBy(2).plusSeconds(9)))
                    .containsExactlyInAnyOrder(
                            tuple("canceled", "CANCELED", 1_000L),
                            tuple(
                                    "silent",
                                    "HUNG",
                                    DAY.multipliedBy(2).plusSeconds(7).toMillis()));
            assertThat(driver.openItems()).isEmpty();
            assertThat(driver.tracked()).isEmpty();
        }
    }

    @Test
    void withoutDirectionsAnswersAreFoundAndNothingIsHung() throws Exception {
        for (String wire : List.of(call(1, "answered"), answer(1, RESULT), call(2, "open"))) {
            messages.add(
                    InputRecord.text(wire).to("parley.wire.mcp").key("session").at(START));
        }
        try (TrafficDriver driver = driver()) {
            judged().forEach(driver::audit);

            assertThat(outcomes(driver, DAY.multipliedBy(3))).containsExactly(tuple("answered", "RESULT", 0L));
        }
    }

    @Test
    void bytesAreThoseOfRequestAndAnswer() throws Exception {
        client(null, call(1, "search"), 0);
        server(null, answer(1, RESULT), 1);
        try (TrafficDriver driver = driver()) {
            judged().forEach(driver::audit);
            driver.audit(sentinel(Duration.ofHours(1)));

            assertThat(driver.rows(Topics::turnaround))
                    .extracting(TurnaroundCount::getRequestBytes, TurnaroundCount::getResponseBytes)
                    .containsExactly(tuple((long) call(1, "search").length(), (long)
                            answer(1, RESULT).length()));
        }
    }

    @Test
    void inventedNamesOfToolsShareOneRow() throws Exception {
        int maxKeys = 20;
        for (int i = 0; i < 200; i++) {
            client(null, call(i, "tool-" + i), 0);
            server(null, answer(i, RESULT), 0);
        }
        try (TrafficDriver driver = new TrafficDriver(directory.resolve("traffic"), maxKeys)) {
            judged().forEach(driver::audit);
            driver.audit(sentinel(Duration.ofHours(1)));

            List<TurnaroundCount> rows = driver.rows(Topics::turnaround);
            assertThat(rows).hasSize(maxKeys + 1);
            assertThat(rows.stream().mapToLong(TurnaroundCount::getItems).sum()).isEqualTo(200);
            assertThat(rows)
                    .filteredOn(row -> Boolean.TRUE.equals(row.getOther()))
                    .singleElement()
                    .extracting(TurnaroundCount::getName)
                    .isEqualTo(StatisticRow.OTHER_NAME);
        }
    }

    @Test
    void canceledCallsAreBounded() throws Exception {
        for (int i = 0; i < 300; i++) {
            client(null, call(i, "search"), 0);
            client(null, CANCEL.replace("1}", i + "}"), 1);
        }
        try (TrafficDriver driver = driver()) {
            judged().forEach(driver::audit);
            assertThat(driver.openItems()).isEmpty();
            // The items and the conversation.
            assertThat(driver.tracked()).hasSize(ItemTracker.MAX_ITEMS + 1);
            driver.audit(sentinel(Duration.ofHours(1)));

            assertThat(driver.rows(Topics::turnaround))
                    .extracting(TurnaroundCount::getOutcome, TurnaroundCount::getItems)
                    .containsExactly(tuple("CANCELED", 300L));
        }
    }

    @Test
    void aVeryLongNameOfAToolIsNotStored() throws Exception {
        client(null, call(1, "x".repeat(100_000)), 0);
        List<AuditRecord> audit = judged();
        try (TrafficDriver driver = driver()) {
            audit.forEach(driver::audit);

            assertThat(driver.openItems().values())
                    .extracting(OpenItem::getName)
                    .containsOnlyNulls();
            assertThat(driver.tracked().toString().length()).isLessThan(2_000);
        }
    }

    @Test
    void hostileRecordsOfTheAuditTopicStopNothing() throws Exception {
        client("a", call(1, "search"), 0);
        server("a", "<html>", 1, "parley-http-status", "500");
        client(null, CANCEL, 2);
        List<AuditRecord> audit = judged();
        try (TrafficDriver driver = driver()) {
            for (JsonRpcKind kind : JsonRpcKind.values()) {
                for (AuditRecord record : audit) {
                    record.getMessage().getMcp().getMessage().setKind(kind);
                    driver.audit(record);
                }
                AuditRecord bare = AuditRecord.newBuilder(audit.get(0)).build();
                bare.getMessage().getMcp().setCapture(null);
                bare.getMessage().getMcp().getMessage().setId(null);
                bare.getMessage().getMcp().getMessage().setMethod(null);
                driver.audit(Audited.atOnce(bare));
            }

            assertThat(outcomes(driver)).contains(tuple("search", "LATE", 0L), tuple("search", "CANCELED", 2_000L));
        }
    }
}
