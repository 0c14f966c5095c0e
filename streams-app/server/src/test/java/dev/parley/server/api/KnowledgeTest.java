package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Symbols;
import dev.parley.decode.WireRecord;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Knowledge of an agent, over HTTP. Messages have consecutive offsets and are one second apart, the first at noon. */
class KnowledgeTest extends HttpTest {
    private static final String X = "/v1/agents/default/X/state";

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

    private void refused(String path, ProblemException.Code code) {
        problem(send("GET", path, "Authorization", "Bearer reader"), code);
    }

    private void patch(String context, String base, String target, String definition) {
        say(
                context,
                "M",
                "CSP/1\nFROM M\nTO MEM\nCTX " + base + "\nINTENT PATCH\n\nPATCH P" + target + "\nBASE " + base
                        + "\n+ DEF " + definition + "\nAPPLY -> " + target);
    }

    private void query(String context, String to, String ctx) {
        say(context, "M", "CSP/1\nFROM M\nTO " + to + "\nCTX " + ctx + "\nINTENT QUERY\n\nQUERY\nWHAT now");
    }

    private void say(String conversation, String sender, String wire) {
        Source source = Samples.source(offset++);
        pipeline.accept(
                new WireRecord(source, null, wire.getBytes(UTF_8), RecordHeaders.NONE),
                Map.of("parley-conversation", conversation, "parley-sender", sender).entrySet().stream()
                        .map(header -> new InboundHeader(
                                header.getKey(),
                                ByteBuffer.wrap(header.getValue().getBytes(UTF_8))))
                        .toList(),
                judged -> judged.checkpoints().forEach(made -> views.nodes.add(new CheckpointNode(made, false))),
                this::recorded);
    }

    private void recorded(AuditRecord record) {
        views.messages.add(record);
        AgentMessage message = record.getMessage();
        long messages = lengths.merge(record.getChain(), 1L, Long::sum);
        views.conversations.removeIf(summary -> summary.getChain().equals(record.getChain()));
        views.conversations.add(Samples.conversation(
                "default", Symbols.PROTOCOL.of(message.getProtocol()), message.getConversation(), messages));
    }

    /** The entries of all pages by conversation, in the form "name=value@checkpoint#offset". */
    private Map<String, String> knowledge(String path) {
        Map<String, String> knowledge = new TreeMap<>();
        String cursor = "";
        do {
            JsonNode page = json(path + (path.indexOf('?') < 0 ? '?' : '&') + "cursor=" + cursor);
            page.path("items").forEach(item -> {
                List<String> entries = new ArrayList<>();
                item.path("entries")
                        .forEach(entry -> entries.add(entry.path("entry").asText()
                                + (entry.path("value").isNull()
                                        ? ""
                                        : "=" + entry.path("value").asText())
                                + (entry.path("checkpoint").isNull()
                                        ? ""
                                        : "@" + entry.path("checkpoint").asText())
                                + "#" + entry.at("/shownBy/source/offset").asLong()));
                knowledge.merge(
                        item.path("protocol").asText() + "/"
                                + item.path("conversation").asText(),
                        String.join(" ", entries),
                        (first, more) -> first + ' ' + more);
            });
            cursor = page.path("next").isNull() ? null : page.path("next").asText();
        } while (cursor != null);
        return knowledge;
    }

    private void speak() {
        patch("one", "C0", "C1", "A = 1");
        query("one", "X", "C1");
        patch("two", "C0", "C1", "B = 2");
        query("two", "Y", "C1");
        query("two", "X", "C1");
        say("deal", "X", "{def:ta=\"build\"}!Ik/co");
        say("1", "0", "@a3|f0|c1|S0|d1|T1|g7|k1|q2#");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?limit=1",
                "?limit=2",
                "?at=latest",
                "?at=2026-01-31T12:00:05Z",
                "?at=time:1769860805000",
                "?at=2026-02-01",
                "?at=-1h"
            })
    void theConversationsOfAnAgentHaveWhatTheyShowedIt(String parameters) {
        speak();

        assertThat(knowledge(X + parameters))
                .containsExactly(
                        Map.entry("CSP/one", "checkpoint/C1#1 definition/A=1@C1#1"),
                        Map.entry("CSP/two", "checkpoint/C1#4 definition/B=2@C1#4"),
                        Map.entry("LAMBDA/deal", "definition/ta=build#5"));
        assertThat(knowledge("/v1/agents/default/1/state"))
                .containsExactly(Map.entry("SLIP/1", "task/1/goal=7#6 task/1/priority=2#6"));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T12:00:00.999Z, 0",
        "2026-01-31T12:00:01Z, 1",
        "2026-01-31T12:00:03Z, 1",
        "2026-01-31T12:00:04Z, 2"
    })
    void aConversationIsListedFromTheFirstMessageToTheAgent(String time, int conversations) {
        speak();

        assertThat(knowledge(X + "?at=" + time)).hasSize(conversations);
    }

    @Test
    void eachEntryNamesTheMessageThatShowedItFirst() {
        speak();

        JsonNode entry = json(X + "?limit=1").at("/items/0/entries/1");

        assertThat(entry).isEqualTo(parse("""
                {"entry":"definition/A","value":"1","checkpoint":"C1","shownBy":{"sequence":1,"sender":"M",
                "source":{"topic":"parley.wire","partition":3,"offset":1,"timestamp":"2026-01-31T12:00:01Z"}}}"""));
    }

    @Test
    void anUnknownAgentKnowsNothing() {
        speak();

        assertThat(json("/v1/agents/default/Z/state").toString()).isEqualTo("{\"items\":[],\"next\":null}");
        assertThat(json("/v1/agents/other/X/state").path("items")).isEmpty();
    }

    @Test
    void aReaderDoesNotSeeWhatPrivateMessagesShow() {
        say("deal", "X", "{def:open=\"1\"}!Ik/co");
        say("deal", "X", "prv: {def:secret=\"zq\"}!Ik/co");
        say("hidden", "X", "prv: {def:secret=\"zq\"}!Ik/co");

        JsonNode reader = json(X);
        assertThat(reader.toString()).doesNotContain("zq").doesNotContain("secret");
        assertThat(reader.path("items")).allMatch(item -> item.path("redacted").asBoolean());
        assertThat(reader.path("items").findValuesAsText("conversation")).containsExactly("deal", "hidden");
        assertThat(reader.at("/items/0/entries")).hasSize(1);
        assertThat(json(X, "auditor").path("items").findValuesAsText("value")).containsExactly("1", "zq", "zq");
    }

    @Test
    void aConversationThatDoesNotFitOnAPageContinuesOnTheNext() {
        patch("one", "C0", "C1", "A = 1");
        query("one", "X", "C1");
        List<String> expected = new ArrayList<>();
        for (int i = 10; i < 40; i++) {
            say("zoo", "X", "{def:d" + i + "=\"" + "v".repeat(200_000) + "\"}!Ik/co");
            expected.add("definition/d" + i);
        }

        assertThat(knowledge(X + "?limit=1000").get("LAMBDA/zoo").replaceAll("=v*#\\d+", ""))
                .isEqualTo(String.join(" ", expected));
        assertThat(walk(X, "conversation")).startsWith("one", "zoo", "zoo").hasSizeGreaterThan(2);
    }

    @Test
    void aPageEndsWhenItHasReadManyBytes() {
        speak();
        ByteBuffer large = ByteBuffer.allocate((int) KnowledgeHandler.MAX_BYTES / 2);
        views.messages.forEach(record -> record.getMessage().setRaw(large));

        JsonNode page = json(X);
        assertThat(page.path("items").findValuesAsText("conversation")).containsExactly("one", "two");
        assertThat(page.path("items")).allMatch(item -> item.path("partial").asBoolean());
        assertThat(walk(X, "conversation")).containsExactly("one", "two", "deal");
    }

    @ParameterizedTest
    @CsvSource({
        "?at=noon, INVALID_PARAMETER",
        "?at=checkpoint:C1, INVALID_PARAMETER",
        "?at=sequence:1, INVALID_PARAMETER",
        "?at=turn:1, INVALID_PARAMETER",
        "?agent=X, INVALID_PARAMETER",
        "?cursor=AAAA, INVALID_CURSOR",
        "?cursor=x, INVALID_CURSOR",
    })
    void wrongParametersAreRefused(String parameters, Code code) {
        speak();

        refused(X + parameters, code);
    }
}
