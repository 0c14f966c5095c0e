package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Symbols;
import dev.parley.decode.WireRecord;
import dev.parley.server.api.view.Paths;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import dev.parley.state.StateSource.Beginning;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** States of all kinds over HTTP. Messages have consecutive offsets and are one second apart. */
class StatesTest extends HttpTest {
    private static final String CSP = "/v1/conversations/default/csp/build";
    private static final String SLIP = "/v1/conversations/default/slip/1";
    private static final String SUBIT = "/v1/conversations/default/subit/crew";
    private static final String LAMBDA = "/v1/conversations/default/lambda/deal";

    private final OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
    private final Map<String, Long> lengths = new HashMap<>();
    private long offset;

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @Override
    protected JsonNode json(String path) {
        return json(path, "reader");
    }

    private JsonNode json(String path, String role) {
        var response = send("GET", path, "Authorization", "Bearer " + role);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return parse(response.body());
    }

    private JsonNode refused(String path, ProblemException.Code code) {
        return problem(send("GET", path, "Authorization", "Bearer reader"), code);
    }

    @BeforeEach
    void speak() {
        // Offsets 0 to 5: C1; C2 waits for C1b, which comes at 3; C3 is a fork of C1.
        csp("P1", "C0", "C1", "+ DEF A = 1", "+ DEF B = 2");
        csp("P2", "C1b", "C2", "~ DEF A := 3");
        say("build", null, "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT TASK\n\nTASK T1\nREQ look");
        csp("P1b", "C1", "C1b", "~ DEF A := 2");
        csp("P3", "C1", "C3", "- DEF A", "+ DEF D = 4");
        csp("P4", "C9", "C10");
        // Offsets 6 to 8.
        say(null, null, "@a3|f0|c1|S0|d1|T1|g7|k1|q2#");
        say(null, null, "@a4|f1|c1|S1|d0|T3|k1|q1|u\"planned\"#");
        say(null, null, "@a3|f0|c1|S0|d1|T4|k2|p1|t\"x\"#");
        // Offsets 9 to 12.
        say("crew", "A", "{\"type\":\"STATE\",\"payload\":\"000110\"}");
        say("crew", "A", "{\"type\":\"INTENT\",\"payload\":\"000110110001\"}");
        say("crew", "A", "{\"type\":\"ACTION\",\"payload\":\"000110110001\"}");
        say("crew", null, "{\"type\":\"ERROR\",\"payload\":\"000110\"}");
        // Offsets 13 to 17.
        say("deal", "A", "{def:ta=\"build\"}");
        say("deal", "B", "<ctx");
        say("deal", "A", ">Ig/U[da]");
        say("deal", "B", "<+");
        say("deal", "A", "prv:{def:ta=\"zq\"}!ta");
    }

    private void csp(String id, String base, String target, String... operations) {
        say(
                "build",
                null,
                "CSP/1\nFROM MAIN\nTO MEM\nCTX " + base + "\nINTENT PATCH\n\nPATCH " + id + "\nBASE " + base + "\n"
                        + String.join("\n", operations) + "\nAPPLY -> " + target);
    }

    private void say(String conversation, String sender, String wire) {
        Map<String, String> headers = new HashMap<>();
        headers.put("parley-conversation", conversation);
        headers.put("parley-sender", sender);
        headers.values().removeIf(Objects::isNull);
        Source source = Samples.source(offset++);
        pipeline.accept(
                new WireRecord(source, null, wire.getBytes(UTF_8), RecordHeaders.NONE),
                headers.entrySet().stream()
                        .map(header -> new InboundHeader(
                                header.getKey(),
                                ByteBuffer.wrap(header.getValue().getBytes(UTF_8))))
                        .toList(),
                judged -> judged.checkpoints().forEach(made -> {
                    views.nodes.removeIf(node -> node.checkpoint().getId().equals(made.getId()));
                    views.nodes.add(new CheckpointNode(made, false));
                }),
                this::recorded);
    }

    private void recorded(AuditRecord record) {
        views.messages.add(record);
        Protocol protocol = Symbols.PROTOCOL.of(record.getMessage().getProtocol());
        String conversation = record.getMessage().getConversation();
        long messages = lengths.merge(conversation, 1L, Long::sum);
        views.conversations.removeIf(summary -> summary.getConversation().equals(conversation));
        views.conversations.add(Samples.conversation("default", protocol, conversation, messages));
    }

    @ParameterizedTest
    @CsvSource({
        "'', C3",
        "latest, C3",
        "C1b, C1b",
        "checkpoint:C1b, C1b",
        "2026-01-31T12:00:02Z, C1",
        "2026-01-31, C0",
        "2026-02-01, C3",
        "time:2026-02-01, C3",
        "-0s, C3",
        "-100000d, C0",
        "checkpoint:C2, C2",
        "checkpoint:C0, C0",
        "offset:parley.wire/3/0, C1",
        "offset:parley.wire/3/1, C1",
        "offset:parley.wire/3/2, C1",
        "offset:parley.wire/3/3, C2",
        "offset:parley.wire/3/99, C3",
        "offset:parley.wire/0/99, C0",
        "time:2026-01-31T12:00:02Z, C1",
        "time:2026-01-31T12:00:03Z, C2",
        "time:2026-01-31T11:00:00Z, C0",
        "sequence:0, C1",
        "sequence:1, C1",
        "sequence:2, C1b",
        "sequence:3, C2",
        "sequence:99, C3",
    })
    void theStateOfAContextIncludesRecordsUpToAPointInTime(String at, String checkpoint) {
        JsonNode state = json(CSP + "/state?at=" + at);

        assertThat(state.at("/asOf/id").asText()).isEqualTo(checkpoint);
        assertThat(state.path("kind").asText()).isEqualTo("definitions");
        assertThat(state.path("definitions"))
                .isEqualTo(json(CSP + "/state?at=checkpoint:" + checkpoint).path("definitions"));
    }

    @Test
    void aMomentOfTheDayOrAgoIsInUtcAndAnsweredInCanonicalForm() {
        Instant before = Instant.now();
        Instant ago =
                Instant.parse(json(CSP + "/state?at=-1h").path("at").asText().substring("time:".length()));
        Instant after = Instant.now();
        assertThat(ago.plus(Duration.ofHours(1))).isBetween(before, after);

        String noon = json(CSP + "/state?at=12:00").path("at").asText();
        // Midnight may pass during the request.
        assertThat(Stream.of(before, after)
                        .map(time -> "time:" + LocalDate.ofInstant(time, ZoneOffset.UTC) + "T12:00:00Z"))
                .contains(noon);
    }

    @Test
    void theLatestStateOfAForkedContextNamesTheOtherHeads() {
        views.nodes.replaceAll(node -> new CheckpointNode(
                node.checkpoint(),
                List.of("C2", "C3").contains(node.checkpoint().getId())));

        assertThat(json(CSP + "/state").path("otherHeads")).isEqualTo(parse("[\"C2\"]"));
        assertThat(json(CSP + "/state?limit=1").path("otherHeads")).isEqualTo(parse("[\"C2\"]"));
        assertThat(json(CSP + "/state?at=C3").has("otherHeads")).isFalse();
        assertThat(json(SLIP + "/state").has("otherHeads")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/state",
                "/state?at=sequence:2",
                "/blame",
                "/diff?from=sequence:1",
                "/history?entry=task/1/status",
                "/history?entry=task/1/status&at=time:2026-01-31T12:00:08Z"
            })
    void aPrunedChainIsNotFolded(String question) {
        views.beginnings.put("default|SLIP|1", new Beginning(1, Optional.of(Samples.NOON)));

        refused(SLIP + question, ProblemException.Code.MESSAGES_PRUNED);
    }

    @Test
    void statesOfAContextNeedMessagesOnlyForSequences() {
        views.beginnings.put("default|CSP|build", new Beginning(3, Optional.of(Samples.NOON)));
        views.messages.removeIf(record -> record.getChain().equals("default|CSP|build") && record.getSequence() < 3);

        assertThat(json(CSP + "/state").at("/asOf/id").asText()).isEqualTo("C3");
        assertThat(json(CSP + "/state?at=checkpoint:C1").at("/asOf/id").asText())
                .isEqualTo("C1");
        assertThat(json(CSP + "/state?at=sequence:3").at("/asOf/id").asText()).isEqualTo("C2");
        refused(CSP + "/state?at=sequence:2", ProblemException.Code.MESSAGES_PRUNED);
    }

    @Test
    void aSlipBoardHasItsTasksByNumber() {
        assertThat(json(SLIP + "/state").path("tasks"))
                .isEqualTo(
                        parse(
                                "[{\"task\":1,\"goal\":7,\"priority\":1,\"status\":\"planned\"},{\"task\":2,\"parent\":1,\"tag\":\"x\"}]"));
        JsonNode early = json(SLIP + "/state?at=turn:2");
        assertThat(early.path("tasks")).isEqualTo(parse("[{\"task\":1,\"goal\":7,\"priority\":2}]"));
        assertThat(early.path("kind").asText()).isEqualTo("board");
        assertThat(early.at("/asOf/source/offset").asLong()).isEqualTo(6);
        JsonNode before = json(SLIP + "/state?at=turn:0");
        assertThat(before.path("tasks")).isEmpty();
        assertThat(before.path("asOf").isNull()).isTrue();
    }

    @Test
    void aSubitFormHasItsName() {
        assertThat(json(SUBIT + "/state?at=sequence:0").path("agents"))
                .isEqualTo(parse("[{\"agent\":\"A\",\"form\":6,\"bits\":\"000110\",\"name\":\"KA-TE-MO\"}]"));
        assertThat(json(SUBIT + "/state").path("agents"))
                .isEqualTo(parse("[{\"agent\":\"A\",\"form\":49,\"bits\":\"110001\",\"name\":\"KU-TA-ME\"}]"));
    }

    @Test
    void lambdaTermsAreDefinitionsAndAgreements() {
        JsonNode terms = json(LAMBDA + "/state");
        assertThat(terms.path("kind").asText()).isEqualTo("terms");
        assertThat(terms.path("agreements")).isEqualTo(parse("{\"#2\":\">Ig/U[da]\"}"));
        assertThat(terms.path("definitions")).isEqualTo(parse("{\"ta\":\"build\"}"));
    }

    @Test
    void redactedMessagesAreNotInTheState() {
        redact("default|SLIP|1", 1);
        JsonNode board = json(SLIP + "/state");
        assertThat(board.path("tasks"))
                .isEqualTo(parse("[{\"task\":1,\"goal\":7,\"priority\":2},{\"task\":2,\"parent\":1,\"tag\":\"x\"}]"));
        assertThat(board.path("redacted").asBoolean()).isTrue();
        assertThat(texts(json(SLIP + "/blame").path("items"), "/by/sequence")).doesNotContain("1");
    }

    @ParameterizedTest
    @CsvSource({"0, C1", "1, C1", "2, C1b", "3, C2", "99, C3"})
    void redactedPatchesStayInTheStateOfTheirContext(long sequence, String checkpoint) {
        for (int each = 0; each < 6; each++) {
            redact("default|CSP|build", each);
        }
        assertThat(json(CSP + "/state?at=sequence:" + sequence).at("/asOf/id").asText())
                .isEqualTo(checkpoint);
    }

    private void redact(String chain, long sequence) {
        views.messages.replaceAll(link -> link.getChain().equals(chain) && link.getSequence() == sequence
                ? Redactions.redact(link, Links.redactionOf(link))
                : link);
    }

    /** A reader sees the state without private messages. */
    @Test
    void privateMessagesAreNotInTheStateOfAReader() {
        for (String question : List.of(
                "/state?at=latest", "/blame?at=latest", "/diff?from=sequence:0", "/history?entry=definition/ta")) {
            JsonNode reader = json(LAMBDA + question);
            JsonNode auditor = json(LAMBDA + question, "auditor");
            assertThat(reader.toString()).as(question).doesNotContain("zq");
            assertThat(auditor.toString()).as(question).contains("zq");
            assertThat(reader.path("redacted").asBoolean()).as(question).isTrue();
            assertThat(auditor.path("redacted").asBoolean()).as(question).isFalse();
        }
        assertThat(json(LAMBDA + "/state?at=sequence:3").path("redacted").asBoolean())
                .isFalse();
        JsonNode visible = json(LAMBDA + "/blame?at=sequence:3", "auditor").path("items");
        assertThat(json(LAMBDA + "/blame").path("items")).isEqualTo(visible);
    }

    @Test
    void callsAreRequestsWithTheirEnds() {
        JsonNode offer = json(LAMBDA + "/calls");
        assertThat(texts(offer, "/kind")).containsExactly("OFFER");
        assertThat(texts(offer, "/opened")).containsExactly("2");
        assertThat(texts(offer, "/closed")).containsExactly("3");
        assertThat(texts(offer, "/outcome")).containsExactly("RESULT");
        assertThat(texts(offer, "/agent")).containsExactly("B");

        JsonNode tasks = json(SLIP + "/calls");
        assertThat(texts(tasks, "/item")).containsExactly("1", "2");
        assertThat(texts(tasks, "/closed")).containsExactly("null", "null");
        assertThat(tasks.path("through").asLong()).isEqualTo(2);
        assertThat(tasks.path("next").isNull()).isTrue();
        assertThat(texts(json(SLIP + "/calls?from=1"), "/opened")).containsExactly("2");
        assertThat(json(CSP + "/calls").at("/items/0/kind").asText()).isEqualTo("TASK");
    }

    @Test
    void callsOmitWhatTheCallerMayNotSee() {
        say("deal", "A", "prv:>Ig/U[da]");
        assertThat(json(LAMBDA + "/calls").path("items")).hasSize(1);
        assertThat(json(LAMBDA + "/calls").path("partial").asBoolean()).isTrue();
        assertThat(json(LAMBDA + "/calls", "auditor").path("items")).hasSize(2);
    }

    @Test
    void blameNamesTheMessageThatSetEachEntry() {
        JsonNode blame = json(CSP + "/blame?at=checkpoint:C2");
        assertThat(texts(blame, "/entry")).containsExactly("A", "B");
        assertThat(texts(blame, "/value")).containsExactly("3", "2");
        assertThat(texts(blame, "/by/checkpoint")).containsExactly("C2", "C1");
        assertThat(texts(blame, "/by/patch")).containsExactly("P2", "P1");
        assertThat(texts(blame, "/by/sender")).containsExactly("MAIN", "MAIN");
        assertThat(texts(blame, "/by/source/offset")).containsExactly("1", "0");

        assertThat(texts(json(CSP + "/blame?at=checkpoint:C2&name=b"), "/entry"))
                .containsExactly("B");
        assertThat(texts(json(SLIP + "/blame?name=%2FSTATUS"), "/entry"))
                .isNotEmpty()
                .allMatch(entry -> entry.endsWith("/status"));
        assertThat(texts(json(SLIP + "/blame?name=none"), "/entry")).isEmpty();

        JsonNode slip = json(SLIP + "/blame");
        assertThat(texts(slip, "/entry"))
                .containsExactly("task/1/goal", "task/1/priority", "task/1/status", "task/2/parent", "task/2/tag");
        assertThat(texts(slip, "/by/sequence")).containsExactly("0", "1", "1", "2", "2");
        assertThat(texts(slip, "/by/sender")).containsExactly("0", "1", "1", "0", "0");
        assertThat(texts(slip, "/by/source/offset")).containsExactly("6", "7", "7", "8", "8");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 6})
    void blameHasPages(int limit) {
        assertThat(pages(SLIP + "/blame?limit=" + limit, "/entry"))
                .containsExactly("task/1/goal", "task/1/priority", "task/1/status", "task/2/parent", "task/2/tag");
    }

    @Test
    void blameCanSelectOneEntry() {
        assertThat(texts(json(CSP + "/blame?at=checkpoint:C2&entry=B"), "/by/checkpoint"))
                .containsExactly("C1");
        assertThat(json(CSP + "/blame?entry=Z").path("items")).isEmpty();
        assertThat(json(CSP + "/blame?at=checkpoint:C0&entry=Z").path("items")).isEmpty();
    }

    @Test
    void aDifferenceComparesAnyTwoPointsInTime() {
        JsonNode fork = json(CSP + "/diff?from=checkpoint:C2&to=checkpoint:C3");
        assertThat(fork.path("added")).isEqualTo(parse("[{\"entry\":\"D\",\"value\":\"4\"}]"));
        assertThat(fork.path("removed")).isEqualTo(parse("[{\"entry\":\"A\",\"value\":\"3\"}]"));
        assertThat(fork.path("changed")).isEmpty();
        assertThat(fork.at("/fromAsOf/id").asText()).isEqualTo("C2");
        assertThat(fork.at("/toAsOf/id").asText()).isEqualTo("C3");

        JsonNode board = json(SLIP + "/diff?from=sequence:0&to=turn:3");
        assertThat(board.path("changed"))
                .isEqualTo(parse("[{\"entry\":\"task/1/priority\",\"old\":\"2\",\"new\":\"1\"}]"));
        assertThat(board.path("added")).isEqualTo(parse("[{\"entry\":\"task/1/status\",\"value\":\"planned\"}]"));
        assertThat(json(SLIP + "/diff?from=sequence:0").path("added")).hasSize(3);
    }

    @Test
    void aHistoryListsTheChangesOfAnEntry() {
        JsonNode history = json(CSP + "/history?entry=A&at=checkpoint:C2");
        assertThat(texts(history, "/value")).containsExactly("3", "2", "1");
        assertThat(texts(history, "/by/checkpoint")).containsExactly("C2", "C1b", "C1");
        assertThat(texts(json(CSP + "/history?entry=A"), "/value")).containsExactly("null", "1");
        assertThat(texts(json(SLIP + "/history?entry=task/1/priority"), "/value"))
                .containsExactly("1", "2");
        assertThat(texts(json(SLIP + "/history?entry=task/1/priority&at=turn:1"), "/value"))
                .containsExactly("2");
        assertThat(json(SLIP + "/history?entry=task/1/priority&at=turn:0").path("items"))
                .isEmpty();
        assertThat(texts(json(SUBIT + "/history?entry=agent/A"), "/value")).containsExactly("49", "6");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aHistoryHasPages(int limit) {
        assertThat(pages(CSP + "/history?entry=A&at=checkpoint:C2&limit=" + limit, "/value"))
                .containsExactly("3", "2", "1");
        assertThat(pages(SLIP + "/history?entry=task/1/priority&limit=" + limit, "/value"))
                .containsExactly("1", "2");
    }

    @ParameterizedTest
    @CsvSource({
        CSP + "/state?at=3b, at, must be latest",
        CSP + "/state?at=turn:1, at, CSP has none",
        CSP + "/diff?from=turn:1, from, CSP has none",
        CSP + "/diff?from=latest&to=3, to, must be latest",
        CSP + "/diff, from, is required",
        CSP + "/history, entry, is required",
        SLIP + "/state?at=checkpoint:C1, at, only CSP",
        SLIP + "/state?at=C1, at, only CSP",
        SUBIT + "/state?at=turn:1, at, only SLIP",
        LAMBDA + "/blame?at=turn:1, at, only SLIP",
        LAMBDA + "/history?entry=x&at=checkpoint:C1, at, only CSP",
        SLIP + "/state?on=1, on, 'at, at-least, cursor, limit, stale'",
        SLIP + "/blame?limit=0, limit, 1 to 1000",
    })
    void anInvalidParameterIsNamed(String path, String parameter, String said) {
        assertThat(refused(path, ProblemException.Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .matches("(Parameter " + parameter + " |Unknown query parameter '" + parameter + "'\\. ).*")
                .contains(said);
    }

    @Test
    void theUnknownResourceIsNamed() {
        refused(CSP + "/state?at=checkpoint:C99", ProblemException.Code.UNKNOWN_CHECKPOINT);
        refused("/v1/conversations/default/slip/99/state", ProblemException.Code.UNKNOWN_CONVERSATION);
        refused("/v1/conversations/default/csp/nowhere/blame", ProblemException.Code.UNKNOWN_CONVERSATION);
        refused("/v1/conversations/default/unknown/build/state", ProblemException.Code.UNKNOWN_CONVERSATION);
        assertThat(refused("/v1/conversations/default/smtp/build/state", ProblemException.Code.INVALID_PARAMETER)
                        .path("title")
                        .asText())
                .as("title of a segment of the path")
                .isEqualTo("Invalid parameter");
        refused(SLIP + "/history?entry=x&cursor=strange", ProblemException.Code.INVALID_CURSOR);
        refused(CSP + "/history?entry=x&cursor=C99", ProblemException.Code.INVALID_CURSOR);
        assertThat(refused(SLIP + "/checkpoints", ProblemException.Code.UNKNOWN_CHECKPOINT)
                        .path("detail")
                        .asText())
                .contains("only CSP");
        refused(SLIP + "/checkpoints/C1", ProblemException.Code.UNKNOWN_CHECKPOINT);
    }

    @Test
    void aCursorIsAnEntryName() {
        assertThat(json(CSP + "/blame?at=checkpoint:C2&entry=A&cursor=B").path("items"))
                .isEmpty();
        assertThat(texts(json(CSP + "/blame?at=checkpoint:C2&entry=B&cursor=A"), "/entry"))
                .containsExactly("B");
    }

    @Test
    void aStateIsUnavailableUntilItsOriginArrives() {
        views.nodes.removeIf(node -> node.checkpoint().getId().equals("C1"));
        refused(CSP + "/blame?at=checkpoint:C2", ProblemException.Code.VIEWS_UNAVAILABLE);
        refused(CSP + "/history?entry=A&at=checkpoint:C2", ProblemException.Code.VIEWS_UNAVAILABLE);
    }

    private List<String> pages(String path, String pointer) {
        List<String> all = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = json(path + cursor);
            all.addAll(texts(page, pointer));
            cursor = page.path("next").isNull()
                    ? null
                    : "&cursor=" + Paths.segment(page.path("next").asText());
        } while (cursor != null);
        return all;
    }

    private static List<String> texts(JsonNode answer, String pointer) {
        Stream<JsonNode> items = StreamSupport.stream(answer.path("items").spliterator(), false);
        return items.map(item -> item.at(pointer).asText()).toList();
    }
}
