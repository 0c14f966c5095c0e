package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.AuditChain;
import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspOperator;
import dev.parley.avro.OpenItem;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Rule;
import dev.parley.avro.TrafficCount;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.json.model.Statistics.Row;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.StatisticRow;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the console reads in addition to lists and messages. */
class ConsoleReadsTest extends HttpTest {
    private static final String MESSAGES = "/v1/conversations/default/slip/7/messages";

    @Test
    void whoamiReportsTheFeaturesOfAnonymousCallers() {
        JsonNode caller = json("/v1/whoami");

        assertThat(caller.path("tokens").asBoolean()).isFalse();
        assertThat(caller.path("principal").asText()).isEqualTo("anonymous");
        assertThat(caller.path("roles")).map(JsonNode::asText).containsExactly("reader");
        assertThat(caller.at("/features/search").asBoolean()).isTrue();
        assertThat(caller.at("/features/redrive").asBoolean()).isFalse();
        assertThat(caller.at("/features/privateMessages").asBoolean()).isFalse();
        assertThat(caller.at("/features/accessLog").asBoolean()).isFalse();
    }

    @Test
    void aMissingRoleNamesWhatTurnsAuthenticationOn() {
        assertThat(problem(send("POST", MESSAGES + "/0/redact"), Code.ROLE_MISSING)
                        .path("detail")
                        .asText())
                .contains("http.auth.tokens.file", "http.auth.oidc.issuer", "demo with --token");
    }

    @Test
    void aSummaryRowHasNoContent() {
        chain(3);

        JsonNode page = json(MESSAGES + "?view=summary&from=1&limit=1");

        assertThat(page.path("total").asLong()).isEqualTo(3);
        assertThat(page.path("next").asLong()).isEqualTo(2);
        JsonNode row = page.at("/items/0");
        assertThat(row.fieldNames())
                .toIterable()
                .containsExactly(
                        "sequence",
                        "time",
                        "sender",
                        "to",
                        "performative",
                        "verdict",
                        "code",
                        "warnings",
                        "bytes",
                        "gloss",
                        "redacted");
        assertThat(row.path("sequence").asLong()).isEqualTo(1);
        assertThat(row.path("sender").asText()).isEqualTo("0");
        assertThat(row.path("to").path(0).asText()).isEqualTo("1");
        assertThat(row.path("bytes").asInt()).isEqualTo("@a3|f0|c7|S0|d1|T1|k5#".length());
        problem(MESSAGES + "?view=summary&bodies=true", Code.INVALID_PARAMETER);
        problem(MESSAGES + "?view=table", Code.INVALID_PARAMETER);
    }

    @Test
    void aPrivateRowHasNeitherGlossNorContent() {
        views.conversations.add(Samples.conversation("default", Protocol.LAMBDA, "p", 1));
        views.messages.add(Samples.privateLambda("p"));

        String page =
                get("/v1/conversations/default/lambda/p/messages?view=summary").body();

        assertThat(page).doesNotContain("secret").contains("\"redacted\":true", "\"gloss\":null");
    }

    @Test
    void aLinkedRecordHasItsPositionInTheLogAndThePathOfItsProof() {
        chain(4);
        JsonNode unsigned = json(MESSAGES + "/1").path("integrity");
        assertThat(unsigned.path("links").isNull()).isTrue();
        assertThat(unsigned.path("commands"))
                .map(JsonNode::asText)
                .satisfiesExactly(
                        export -> assertThat(export).startsWith("parley export "),
                        verify ->
                                assertThat(verify).startsWith("parley verify ").doesNotContain("--key"));
        views.heads.add(new LogNotes("parley/audit", List.of(NoteSigner.of("parley/audit", KeyFiles.newPair())))
                .head(0, 4, new byte[32], Instant.now()));

        JsonNode integrity = json(MESSAGES + "/1").path("integrity");

        assertThat(integrity.path("faults")).isEmpty();
        assertThat(integrity.path("content").asText()).isEqualTo("VERIFIED");
        assertThat(integrity.path("previous").asText()).isEqualTo("LINKED");
        assertThat(integrity.path("next").asText()).isEqualTo("LINKED");
        assertThat(integrity.path("log")).hasToString("{\"partition\":0,\"index\":1}");
        assertThat(integrity.at("/links/proof").asText())
                .isEqualTo("/v1/conversations/default/SLIP/7/messages/1/proof");
        assertThat(integrity.path("proof").asText()).isEqualTo("NEIGHBORS");
        assertThat(integrity.path("commands"))
                .map(JsonNode::asText)
                .satisfiesExactly(
                        prove -> assertThat(prove)
                                .matches("parley prove --check parley-[0-9a-f]{12}\\.proof --key audit\\.vkey"),
                        export -> assertThat(export)
                                .matches("parley export --chain='default\\|SLIP\\|7'"
                                        + " --set bootstrap\\.servers=BROKERS --set schema\\.registry\\.url=REGISTRY"
                                        + " --out parley-[0-9a-f]{12}\\.jsonl"),
                        verify -> assertThat(verify)
                                .matches("parley verify parley-[0-9a-f]{12}\\.jsonl --key audit\\.vkey"
                                        + " --accept-open-end"));
        assertThat(json(MESSAGES + "/0").at("/integrity/previous").asText()).isEqualTo("NONE");
        assertThat(json(MESSAGES + "/3").at("/integrity/next").asText()).isEqualTo("NONE");
    }

    @Test
    void aChangedRecordProvesNothing() {
        List<AuditRecord> chain = chain(4);
        chain.get(2).setVerdict("REJECTED");

        JsonNode changed = json(MESSAGES + "/2").path("integrity");
        assertThat(changed.path("faults")).map(JsonNode::asText).contains("RECORD_CHANGED");
        assertThat(changed.path("proof").asText()).isEqualTo("NONE");
    }

    @Test
    void aBrokenLinkIsVisibleFromBothSides() {
        List<AuditRecord> chain = chain(3);
        chain.get(1).setHash(Samples.hash(9));
        chain.get(1).setPreviousHash(Samples.hash(8));

        assertThat(json(MESSAGES + "/0").at("/integrity/next").asText()).isEqualTo("BROKEN");
        assertThat(json(MESSAGES + "/2").at("/integrity/previous").asText()).isEqualTo("BROKEN");
    }

    @Test
    void theRuleHasFields() {
        chain(1).get(0).setRule(new Rule("1.4", "S", "NEW × REQUEST → REQUESTED", "NEW", "REQUEST", "REQUESTED"));

        assertThat(json(MESSAGES + "/0").path("rule"))
                .hasToString("{\"section\":\"1.4\",\"provenance\":\"S\",\"text\":\"NEW × REQUEST → REQUESTED\","
                        + "\"before\":\"NEW\",\"act\":\"REQUEST\",\"after\":\"REQUESTED\"}");
    }

    @Test
    void aMessageHasTheStatesBeforeAndAfterIt() {
        chain(2);

        JsonNode dialogue = json(MESSAGES + "/0?dialogue=true").path("dialogue");

        assertThat(dialogue.path("omitted").isNull()).isTrue();
        assertThat(dialogue.at("/before/asOf").isNull()).isTrue();
        assertThat(dialogue.at("/after/asOf/sequence").asLong()).isZero();
        assertThat(dialogue.at("/after/kind").asText()).isEqualTo("board");
        assertThat(dialogue.at("/position/before").asText()).isEqualTo("NEW");
        assertThat(dialogue.at("/position/after").asText()).isEqualTo("REQUESTED");
        assertThat(dialogue.at("/position/exact").asBoolean()).isTrue();
        assertThat(json(MESSAGES + "/0").has("dialogue")).isFalse();
    }

    @Test
    void statesThatAReplayCannotReproduceAreThoseOfTheRecordedRule() {
        List<AuditRecord> chain = chain(3);
        chain.get(1).setRule(new Rule("1.4", "S", "PROPOSED × ACCEPT → ACCEPTED", "PROPOSED", "ACCEPT", "ACCEPTED"));
        chain.get(2).setRule(new Rule("1.4", "S", "ACCEPTED × PROPOSE → illegal", "ACCEPTED", "PROPOSE", null));
        views.messages.set(0, Redactions.redact(chain.get(0), null));

        assertThat(json(MESSAGES + "/1?dialogue=true").at("/dialogue/position"))
                .hasToString("{\"before\":\"PROPOSED\",\"after\":\"ACCEPTED\",\"exact\":false,\"recorded\":true}");
        assertThat(json(MESSAGES + "/2?dialogue=true").at("/dialogue/position"))
                .hasToString("{\"before\":\"ACCEPTED\",\"after\":\"ACCEPTED\",\"exact\":false,\"recorded\":true}");
        chain.get(2).setRule(null);
        assertThat(json(MESSAGES + "/2?dialogue=true")
                        .at("/dialogue/position/recorded")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void aStateFarFromTheBeginningIsNotFolded() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", DialogueStates.MAX_FOLDED + 1));
        views.messages.add(Samples.slip("7", DialogueStates.MAX_FOLDED));

        JsonNode dialogue = json(MESSAGES + "/" + DialogueStates.MAX_FOLDED + "?dialogue=true")
                .path("dialogue");

        assertThat(dialogue.path("before").isNull()).isTrue();
        assertThat(dialogue.path("omitted").asText()).contains("/state?at=sequence:" + DialogueStates.MAX_FOLDED);
    }

    @Test
    void pagesOfAStateHaveEveryEntryOnce() {
        Map<String, String> definitions = new TreeMap<>();
        IntStream.range(0, 25).forEach(i -> definitions.put("NAME_%02d".formatted(i), "value " + i));
        context(definitions);

        JsonNode first = json("/v1/conversations/default/csp/c/state?limit=10");
        assertThat(first.path("total").asInt()).isEqualTo(25);
        assertThat(first.at("/asOf/id").asText()).isEqualTo("C1");
        assertThat(first.at("/items/0/value").asText()).isEqualTo("value 0");
        assertThat(walk("/v1/conversations/default/csp/c/state?limit=10", "entry"))
                .containsExactlyElementsOf(definitions.keySet());
    }

    @Test
    void pagesOfADifferenceHaveEveryChangeOnce() {
        Map<String, String> definitions = new TreeMap<>();
        IntStream.range(0, 25).forEach(i -> definitions.put("NAME_%02d".formatted(i), "value " + i));
        context(definitions);
        String diff = "/v1/conversations/default/csp/c/diff?from=checkpoint:C0&to=checkpoint:C1&limit=7";

        JsonNode first = json(diff);

        assertThat(first.at("/counts/added").asInt()).isEqualTo(25);
        assertThat(first.at("/items/0/change").asText()).isEqualTo("ADDED");
        assertThat(first.at("/items/0/old").isNull()).isTrue();
        assertThat(walk(diff, "entry")).containsExactlyElementsOf(definitions.keySet());
    }

    @Test
    void theStatusHasAgeAndSizeOfTheLastHeads() {
        Instant signedAt = Instant.now().minusSeconds(100).truncatedTo(ChronoUnit.MILLIS);
        NoteSigner signer = NoteSigner.of("parley/audit", KeyFiles.newPair());
        LogNotes signed = new LogNotes("parley/audit", List.of(signer));
        LogNotes unsigned = new LogNotes("parley/audit", List.of());
        views.heads.addAll(List.of(
                signed.statement(2, Collections.emptySortedMap(), signedAt.plusSeconds(20)),
                signed.head(0, 7, new byte[32], signedAt),
                unsigned.head(1, 5, new byte[32], signedAt.plusSeconds(5))));

        JsonNode status = json("/v1/status");

        assertThat(status.path("ready").asBoolean()).isTrue();
        assertThat(status.at("/heads/lastPublished").asText())
                .isEqualTo(signedAt.plusSeconds(5).toString());
        assertThat(status.at("/heads/lastSigned").asText()).isEqualTo(signedAt.toString());
        assertThat(status.at("/heads/ageSeconds").asLong()).isGreaterThanOrEqualTo(100);
        assertThat(status.at("/heads/records").asLong()).isEqualTo(12);
        assertThat(signer.verifierKey().toString())
                .startsWith(status.at("/heads/keys/0").asText());
        assertThat(status.at("/pipeline/partitions").isArray()).isTrue();
    }

    @Test
    void rowsOfStatisticsAreSummedToStepsAndDimensions() {
        Instant start = Instant.parse("2026-01-31T12:00:00Z");
        views.rows.add(traffic(start, "a", "ACCEPTED", 3));
        views.rows.add(traffic(start.plusSeconds(60), "a", "ACCEPTED", 4));
        views.rows.add(traffic(start.plusSeconds(60), "b", "REJECTED", 1));
        views.rows.add(traffic(start.plusSeconds(300), "a", "ACCEPTED", 10));
        String range = "/v1/stats/traffic?from=2026-01-31T12:00:00Z&to=2026-01-31T12:10:00Z";

        JsonNode steps = json(range + "&step=300&by=verdict");
        assertThat(steps.path("from").asText()).isEqualTo("2026-01-31T12:00:00Z");
        assertThat(steps.path("step").asInt()).isEqualTo(300);
        assertThat(rows(steps, "time", "verdict", "messages"))
                .containsExactly(
                        "2026-01-31T12:00:00Z ACCEPTED 7",
                        "2026-01-31T12:00:00Z REJECTED 1",
                        "2026-01-31T12:05:00Z ACCEPTED 10");
        assertThat(rows(json(range + "&step=600&by=sender"), "sender", "messages"))
                .containsExactly("a 17", "b 1");
        assertThat(rows(json(range + "&step=600&by=none"), "messages")).containsExactly("18");
        assertThat(json(range).path("rows")).hasSize(4);
        assertThat(json(range + "&namespace=other").path("rows")).isEmpty();
        assertThat(json(range + "&protocol=csp").path("rows")).isEmpty();
    }

    @Test
    void theValueOfADimensionSelectsRowsOfStatistics() {
        Instant start = Instant.parse("2026-01-31T12:00:00Z");
        views.rows.add(traffic(start, "a", "ACCEPTED", 3));
        views.rows.add(traffic(start, "b", "REJECTED", 1));
        TrafficCount others = traffic(start, StatisticRow.OTHER_NAME, "REJECTED", 5);
        others.setOther(true);
        views.rows.add(others);
        views.rows.add(traffic(start, StatisticRow.OTHER_NAME, "REJECTED", 2));
        String range = "/v1/stats/traffic?from=2026-01-31T12:00:00Z&to=2026-01-31T12:10:00Z&by=sender";

        assertThat(rows(json(range + "&sender=a"), "sender", "messages")).containsExactly("a 3");
        assertThat(rows(json(range + "&verdict=rejected&sender=b"), "messages")).containsExactly("1");
        assertThat(rows(json(range + "&verdict=rejected"), "messages")).containsExactly("1", "2", "5");
        assertThat(rows(json(range + "&sender=(other)"), "other", "messages"))
                .as("an agent with the name of the others")
                .containsExactly("false 2");
        problem(range + "&recipient=a", Code.INVALID_PARAMETER);
        problem(range + "&verdict=wrong", Code.INVALID_PARAMETER);
    }

    @Test
    void pagesOfStatisticsHaveEveryRowOnce() {
        Instant start = Instant.parse("2026-01-31T12:00:00Z");
        for (int minute = 0; minute < 10; minute++) {
            for (int agent = 0; agent < 5; agent++) {
                views.rows.add(traffic(start.plusSeconds(60L * minute), "agent" + agent, "ACCEPTED", 1));
            }
        }
        String path = "/v1/stats/traffic?from=2026-01-31T12:00:00Z&to=2026-01-31T12:10:00Z&limit=7";
        List<String> all = new ArrayList<>();
        String next = "";
        do {
            JsonNode page = json(path + "&cursor=" + next);
            all.addAll(rows(page, "time", "sender"));
            next = page.path("next").isNull() ? null : page.path("next").asText();
        } while (next != null);

        assertThat(all).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void rowsOfTwoInstancesAreAddedUp() {
        assertThat(new StatisticHandler(Statistic.EDGES).combine(row(5, 3, 1, 1), row(7, 7, 0, 0)))
                .isEqualTo(row(12, 10, 1, 1));
    }

    @Test
    void theLongestTurnaroundOfTwoInstancesIsTheLonger() {
        Row one = row(Map.of("items", 2L, "totalMs", 30L, "maxMs", 20L, "within20ms", 2L));
        Row other = row(Map.of("items", 1L, "totalMs", 50L, "maxMs", 50L, "within20ms", 0L));

        assertThat(new StatisticHandler(Statistic.TURNAROUND).combine(one, other))
                .isEqualTo(row(Map.of("items", 3L, "totalMs", 80L, "maxMs", 50L, "within20ms", 2L)));
    }

    private static Row row(long messages, long accepted, long flagged, long rejected) {
        return row(Map.of("messages", messages, "accepted", accepted, "flagged", flagged, "rejected", rejected));
    }

    private static Row row(Map<String, Long> measures) {
        return new Row(Instant.parse("2026-01-31T12:00:00Z"), Map.of(), false, measures);
    }

    @Test
    void aRangeThatTheLargestStepDividesIntoTooManyStepsMustBeNarrower() {
        for (String step : List.of("60", "86400")) {
            assertThat(problem("/v1/stats/traffic?from=2020-01-01&to=2026-01-31&step=" + step, Code.INVALID_PARAMETER)
                            .path("detail")
                            .asText())
                    .contains("from must be at most 1500 days before to");
        }
        assertThat(problem("/v1/stats/traffic?from=2026-01-01&to=2026-01-31", Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .contains("step", "must be larger");
    }

    /** Both ends are widened to midnight, which makes 1,501 steps. */
    @Test
    void theLongestRangeMayBeginAtAnyTimeOfTheDay() {
        String to = "2026-01-31T12:00:00Z";
        String from = Instant.parse(to).minus(Duration.ofDays(1_500)).toString();
        assertThat(json("/v1/stats/traffic?step=86400&from=" + from + "&to=" + to)
                        .path("to")
                        .asText())
                .isEqualTo("2026-02-01T00:00:00Z");
    }

    @Test
    void aCursorOfAnotherRequestNamesNoMemberOfOneResponse() {
        assertThat(problem("/v1/search?q=a3&cursor=zz", Code.INVALID_CURSOR)
                        .path("detail")
                        .asText())
                .contains("an earlier response to this query");
    }

    @Test
    void aRangeWithTooManyStepsIsRefused() {
        problem("/v1/stats/traffic?from=0&to=2026-01-31T12:10:00Z", Code.INVALID_PARAMETER);
        problem("/v1/stats/traffic?step=61", Code.INVALID_PARAMETER);
        problem("/v1/stats/traffic?step=0", Code.INVALID_PARAMETER);
        problem("/v1/stats/traffic?by=windowStart", Code.INVALID_PARAMETER);
        problem("/v1/stats/traffic?from=2026-01-31T12:10:00Z&to=2026-01-31T12:00:00Z", Code.INVALID_PARAMETER);
        problem("/v1/stats/traffic?cursor=AAAA", Code.INVALID_CURSOR);
        problem("/v1/stats/traffic?from=C1", Code.INVALID_PARAMETER);
        problem("/v1/search?from=latest", Code.INVALID_PARAMETER);
        problem("/v1/search?to=sequence:1", Code.INVALID_PARAMETER);
    }

    @ParameterizedTest
    @CsvSource({
        "from=2026-01-31&to=2026-02-01, 1",
        "from=2026-02-01, 0",
        "to=2026-01-31, 0",
        "from=-100000d, 1",
        "from=-1d, 0",
        "to=-1d, 1",
        "to=-100000d, 0",
    })
    void aSearchTakesDatesAndTimesAgo(String range, int hits) {
        chain(1);

        assertThat(lines("/v1/search?" + range).stream().filter(line -> line.has("hit")))
                .hasSize(hits);
    }

    @Test
    void statisticsTakeDatesAndTimesAgo() {
        views.rows.add(traffic(Instant.parse("2026-01-31T12:00:00Z"), "a", "ACCEPTED", 3));

        assertThat(rows(json("/v1/stats/traffic?from=2026-01-31&to=2026-02-01&step=86400&by=none"), "time", "messages"))
                .containsExactly("2026-01-31T00:00:00Z 3");
        assertThat(json("/v1/stats/traffic?from=-2h&to=-1h").path("rows")).isEmpty();
    }

    @Test
    void aSearchAnswersInJsonLinesAndEndsWithItsCursor() {
        chain(3);

        List<JsonNode> first = lines("/v1/search?q=a3&limit=2");
        assertThat(first).hasSize(4);
        assertThat(first.get(0).at("/hit/chain").asText()).isEqualTo("default|SLIP|7");
        assertThat(first.get(0).at("/hit/excerpt").asText()).contains("@a3|");
        assertThat(first.get(2).has("progress")).isTrue();
        assertThat(first.get(3).at("/done/complete").asBoolean()).isFalse();
        List<JsonNode> rest = lines(
                "/v1/search?q=a3&cursor=" + first.get(3).at("/done/cursor").asText());
        assertThat(rest).hasSize(2);
        assertThat(rest.get(1).at("/done/complete").asBoolean()).isTrue();
        assertThat(rest.get(1).at("/done/cursor").isNull()).isTrue();
    }

    @Test
    void theExcerptOfARedactionIsItsReason() {
        Redaction redaction = Links.redactionOf(Samples.slip("7", 0));
        views.messages.add(Samples.redacting(redaction, 1));

        assertThat(lines("/v1/search?namespace=default")
                        .get(0)
                        .at("/hit/excerpt")
                        .asText())
                .isEqualTo(redaction.getReason());
    }

    @Test
    void aSearchSaysWhatItLooksForAndWhatItIgnores() {
        chain(1);

        JsonNode end = lines("/v1/search?q=" + encoded("A3 \"S7 é\" OR a* a3 -missing verdict:accepted"))
                .get(0);
        assertThat(end.at("/done/words").toString()).isEqualTo("[\"a3\",\"s7\",\"e\"]");
        assertThat(end.at("/done/ignored").toString()).isEqualTo("[\"a* (a beginning needs 3 characters)\"]");
        assertThat(lines("/v1/search?verdict=accepted&q=" + encoded("-missing")))
                .hasSize(2);
        assertThat(lines("/v1/search?q=" + encoded("a3 -sender:nobody"))).hasSize(2);
    }

    @Test
    void theExcerptShowsWhatWasFoundWithoutEscapes() {
        AuditRecord record = Samples.slip("7", 0);
        record.getMessage()
                .setRaw(ByteBuffer.wrap(
                        ("{\"a\":\"" + "x ".repeat(500) + "\\u4f60\\u597d\\n\\ud83d half\"}").getBytes(UTF_8)));
        views.messages.add(record);

        String excerpt =
                lines("/v1/search?q=" + encoded("好")).get(0).at("/hit/excerpt").asText();
        assertThat(excerpt).startsWith("… x x ").endsWith("x 你好\n? half\"}");
    }

    @Test
    void aSearchNeedsWords() {
        problem("/v1/search?q=%21+%3F", Code.INVALID_PARAMETER);
        problem("/v1/search?q=verdict:maybe", Code.INVALID_PARAMETER);
        assertThat(problem("/v1/search?q=-a3", Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .contains("must have a word, phrase or field to find besides those that it excludes");
        problem("/v1/search?from=yesterday", Code.INVALID_PARAMETER);
        problem("/v1/search?verdict=maybe", Code.INVALID_PARAMETER);
        problem("/v1/search?reference=add", Code.INVALID_PARAMETER);
        problem("/v1/search?reference=:add", Code.INVALID_PARAMETER);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private List<JsonNode> lines(String path) {
        return get(path).body().lines().map(HttpTest::parse).toList();
    }

    private static List<String> rows(JsonNode page, String... members) {
        List<String> rows = new ArrayList<>();
        page.path("rows").forEach(row -> {
            List<String> values = new ArrayList<>();
            for (String member : members) {
                values.add(row.path(member).asText());
            }
            rows.add(String.join(" ", values));
        });
        return rows;
    }

    @Test
    void openItemsAreSelectedByTheirAgents() {
        views.openItems.add(openItem("planner", "coder", 3));
        views.openItems.add(openItem("planner", "tester", 5));
        views.openItems.add(openItem("coder", "tester", 8));

        JsonNode all = json("/v1/open-items");
        assertThat(all.path("items")).hasSize(3);
        assertThat(all.at("/items/0").toString())
                .isEqualTo("{\"namespace\":\"default\",\"protocol\":\"SLIP\",\"conversation\":\"7\",\"sequence\":3,"
                        + "\"kind\":\"TASK\",\"agent\":\"coder\",\"requester\":\"planner\","
                        + "\"since\":\"2026-01-31T12:00:00Z\"}");
        assertThat(json("/v1/open-items?agent=tester").path("items"))
                .map(item -> item.path("sequence").asInt())
                .containsExactly(5, 8);
        assertThat(json("/v1/open-items?agent=tester&requester=planner&protocol=slip&namespace=default")
                        .path("items"))
                .map(item -> item.path("sequence").asInt())
                .containsExactly(5);
        assertThat(json("/v1/open-items?protocol=csp").path("items")).isEmpty();
        problem("/v1/open-items?kind=TASK", Code.INVALID_PARAMETER);
    }

    private static OpenItem openItem(String requester, String agent, long sequence) {
        return OpenItem.newBuilder()
                .setNamespace("default")
                .setProtocol("SLIP")
                .setConversation("7")
                .setSequence(sequence)
                .setKind("TASK")
                .setAgent(agent)
                .setRequester(requester)
                .setSince(Instant.parse("2026-01-31T12:00:00Z"))
                .build();
    }

    private static TrafficCount traffic(Instant start, String sender, String verdict, long messages) {
        return TrafficCount.newBuilder()
                .setWindowStart(start)
                .setWindowEnd(start.plusSeconds(60))
                .setNamespace("default")
                .setProtocol("SLIP")
                .setPerformative("REQUEST")
                .setSender(sender)
                .setVerdict(verdict)
                .setMessages(messages)
                .build();
    }

    private void context(Map<String, String> definitions) {
        views.nodes.add(new CheckpointNode(
                Samples.checkpoint(
                        "c", "C1", "C0", 1, definitions, Samples.operation(CspOperator.ADD, "NAME_00", "value 0")),
                true));
    }

    /** Adds a conversation whose chain has correct hashes. */
    private List<AuditRecord> chain(int messages) {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", messages));
        AuditChain chain = new AuditChain();
        List<AuditRecord> records = new ArrayList<>();
        ByteBuffer previous = AuditChain.genesis();
        for (int i = 0; i < messages; i++) {
            AuditRecord record = Samples.slip("7", i);
            record.setPreviousHash(previous);
            record.setPayloadHash(chain.payloadHash(record.getMessage().getRaw()));
            record.getMessage().setSha256(record.getPayloadHash());
            record.setContentHash(chain.contentHash(record));
            record.setHash(chain.hash(record));
            previous = record.getHash();
            records.add(record);
        }
        views.messages.addAll(records);
        return records;
    }
}
