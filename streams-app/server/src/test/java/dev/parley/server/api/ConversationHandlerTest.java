package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.InputPosition;
import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.json.ApiJson;
import dev.parley.json.AvroJson;
import dev.parley.server.http.ProblemException;
import dev.parley.state.StateSource.Beginning;
import dev.parley.topology.views.store.ChainPosition;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConversationHandlerTest extends HttpTest {

    @Test
    void aSummaryCountsMessagesByVerdict() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 3));

        JsonNode page = json("/v1/conversations");

        assertThat(page.path("next").isNull()).isTrue();
        JsonNode item = page.path("items").path(0);
        assertThat(item.path("chain").asText()).isEqualTo("default|SLIP|7");
        assertThat(item.path("messages").asLong()).isEqualTo(3);
        assertThat(item.path("accepted").asLong()).isEqualTo(3);
        assertThat(item.path("lastSequence").asLong()).isEqualTo(2);
        assertThat(item.path("firstTime").asText()).isEqualTo("2026-01-31T12:00:00Z");
        assertThat(item.path("lastHash").asText()).isEqualTo("07".repeat(32));
        assertThat(item.path("lastCode").isNull()).isTrue();
        assertThat(json(item.path("links").path("self").asText())).isEqualTo(item);
    }

    @Test
    void pagesContainEveryConversationOnce() {
        List<String> names = IntStream.range(0, 23).mapToObj(Integer::toString).toList();
        names.forEach(name -> views.conversations.add(Samples.conversation("default", Protocol.SLIP, name, 1)));

        assertThat(walk("/v1/conversations?limit=5", "conversation"))
                .isEqualTo(names.stream().sorted().toList());
    }

    @Test
    void filtersByNamespaceAndProtocolInAnyCase() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "1", 1));
        views.conversations.add(Samples.conversation("default", Protocol.CSP, "2", 1));
        views.conversations.add(Samples.conversation("other", Protocol.SLIP, "3", 1));

        assertThat(walk("/v1/conversations?protocol=slip", "conversation")).containsExactly("1", "3");
        assertThat(walk("/v1/conversations?namespace=default&protocol=SLIP", "conversation"))
                .containsExactly("1");
        assertThat(walk("/v1/conversations?namespace=&protocol=", "conversation"))
                .containsExactly("2", "1", "3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b", "a b", "100%", "a+b", "..", ".", "?x=1#y", "Λ→λ", "a|b|c", "a\\b", "//", "%2F", ";v=1", "a&b=c"
            })
    void anyNameWorksInAPath(String name) {
        views.conversations.add(Samples.conversation("default", Protocol.SUBIT, name, 1));
        String link = json("/v1/conversations").at("/items/0/links/self").asText();

        assertThat(json(link).path("conversation").asText()).isEqualTo(name);
        if (!name.startsWith(".")) {
            String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
            assertThat(json("/v1/conversations/default/subit/" + encoded)
                            .path("conversation")
                            .asText())
                    .isEqualTo(name);
        }
    }

    @Test
    void messagesAreInOrderWithVerdictsAndHashes() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 2));
        views.messages.add(Samples.slip("7", 0));
        views.messages.add(Samples.slip("7", 1));

        JsonNode page = json("/v1/conversations/default/SLIP/7/messages?bodies=true");

        assertThat(page.path("chain").asText()).isEqualTo("default|SLIP|7");
        assertThat(page.path("next").isNull()).isTrue();
        assertThat(page.path("items").findValuesAsText("sequence")).containsExactly("0", "1");
        JsonNode second = page.path("items").path(1);
        assertThat(second.path("verdict").asText()).isEqualTo("ACCEPTED");
        assertThat(second.path("stage").asText()).isEqualTo("NONE");
        assertThat(second.path("code").isNull()).isTrue();
        assertThat(second.path("warnings").path(0).asText()).isEqualTo("SLIP_TURN_GAP");
        assertThat(second.path("hash").asText()).isEqualTo("01".repeat(32));
        assertThat(second.path("previousHash").asText()).isEqualTo("00".repeat(32));
        assertThat(second.path("source").path("offset").asLong()).isEqualTo(1);
        assertThat(second.path("source").path("timestamp").asText()).isEqualTo("2026-01-31T12:00:01Z");
        assertThat(second.path("raw").asText()).isEqualTo("@a3|f0|c7|S0|d1|T1|k5#");
        assertThat(second.path("rawEncoding").asText()).isEqualTo("utf-8");
        assertThat(second.path("redacted").asBoolean()).isFalse();
        JsonNode message = second.path("message");
        assertThat(message.path("slip").path("act").asText()).isEqualTo("REQUEST");
        assertThat(message.path("slip").path("taskId").asLong()).isEqualTo(5);
        assertThat(message.path("slip").has("goalId")).isFalse();
        assertThat(message.has("csp")).isFalse();
        assertThat(message.has("raw")).isFalse();
    }

    /** Another writer of the audit topic, or a later version, may use other symbols than the API documents. */
    @Test
    void unknownSymbolsAreShownAsUnspecified() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 1));
        AuditRecord record = Samples.slip("7", 0);
        record.setVerdict("POSTPONED\"}\n");
        record.setStage("");
        record.setProfile("V".repeat(100_000));
        record.getMessage().setProtocol("SLIP2");
        record.getMessage().setPerformative("accept");
        views.messages.add(record);

        JsonNode item = json("/v1/conversations/default/SLIP/7/messages?bodies=true")
                .path("items")
                .path(0);
        assertThat(item.path("verdict").asText()).isEqualTo("UNSPECIFIED");
        assertThat(item.path("stage").asText()).isEqualTo("NONE");
        assertThat(item.path("profile").asText()).isEqualTo("UNSPECIFIED");
        assertThat(item.path("message").path("protocol").asText()).isEqualTo("UNKNOWN");
        assertThat(item.path("message").path("performative").asText()).isEqualTo("UNSPECIFIED");
        assertThat(item.path("sequence").asLong()).isZero();
    }

    @Test
    void theNextPageOfMessagesStartsAtNext() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 5));
        IntStream.range(0, 5).forEach(n -> views.messages.add(Samples.slip("7", n)));

        JsonNode page = json("/v1/conversations/default/SLIP/7/messages?from=1&limit=2");

        assertThat(page.path("items").findValuesAsText("sequence")).containsExactly("1", "2");
        assertThat(page.path("next").asLong()).isEqualTo(3);
        JsonNode last = json("/v1/conversations/default/SLIP/7/messages?from=3&limit=2");
        assertThat(last.path("items").findValuesAsText("sequence")).containsExactly("3", "4");
        assertThat(last.path("next").isNull()).isTrue();
        JsonNode beyond = json("/v1/conversations/default/SLIP/7/messages?from=9223372036854775807");
        assertThat(beyond.path("items").isEmpty()).isTrue();
        assertThat(beyond.path("next").isNull()).isTrue();
    }

    @Test
    void prunedMessagesAreGoneAndTheListStartsAfterThem() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 4));
        views.beginnings.put("default|SLIP|7", new Beginning(2, Optional.of(Samples.NOON)));
        views.messages.add(Samples.slip("7", 2));
        views.messages.add(Samples.slip("7", 3));

        JsonNode summary = json("/v1/conversations/default/SLIP/7");
        assertThat(summary.path("firstSequence").asLong()).isEqualTo(2);
        assertThat(summary.path("messages").asLong()).isEqualTo(4);
        assertThat(json("/v1/conversations").path("items").path(0)).isEqualTo(summary);
        assertThat(json("/v1/conversations/default/SLIP/7/messages").findValuesAsText("sequence"))
                .containsExactly("2", "3");
        assertThat(json("/v1/conversations/default/SLIP/7/messages?from=3").findValuesAsText("sequence"))
                .containsExactly("3");
        assertThat(problem("/v1/conversations/default/SLIP/7/messages?from=1", ProblemException.Code.MESSAGES_PRUNED)
                        .path("detail")
                        .asText())
                .contains("from sequence 2 on", "2026-01-31T12:00:00Z", "views.retention.conversations.ms", "export");
        problem("/v1/conversations/default/SLIP/7/messages/1", ProblemException.Code.MESSAGES_PRUNED);
        problem("/v1/conversations/default/SLIP/7/messages/4", ProblemException.Code.UNKNOWN_MESSAGE);
        assertThat(json("/v1/conversations/default/SLIP/7/messages/2")
                        .path("sequence")
                        .asLong())
                .isEqualTo(2);
    }

    @Test
    void theListOfAFullyPrunedConversationIsGone() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 4));
        views.beginnings.put("default|SLIP|7", new Beginning(4, Optional.of(Samples.NOON)));

        problem("/v1/conversations/default/SLIP/7/messages", ProblemException.Code.MESSAGES_PRUNED);
    }

    @Test
    void messagesThatTheAuditTopicLostAreReportedAsSuch() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 4));
        views.beginnings.put("default|SLIP|7", new Beginning(3, Optional.empty()));
        views.messages.add(Samples.slip("7", 3));

        assertThat(problem("/v1/conversations/default/SLIP/7/messages/0", ProblemException.Code.MESSAGES_PRUNED)
                        .path("detail")
                        .asText())
                .contains("from sequence 3 on", "had lost")
                .doesNotContain("views.retention");
    }

    @Test
    void aPositionWhoseMessageWasPrunedIsGone() {
        views.links.put(new InputPosition("parley.wire", 3, 1), new ChainPosition("default|SLIP|7", 1));
        views.beginnings.put("default|SLIP|7", new Beginning(2, Optional.of(Samples.NOON)));
        views.messages.add(Samples.slip("7", 2));

        problem("/v1/positions/parley.wire/3/1", ProblemException.Code.MESSAGES_PRUNED);
        assertThat(json("/v1/positions/parley.wire/3/2").path("sequence").asLong())
                .isEqualTo(2);
    }

    @Test
    void bytesThatAreNotUtf8AreBase64() {
        views.conversations.add(Samples.conversation("-", Protocol.UNKNOWN, "parley.wire-3", 1));
        views.messages.add(Samples.undecodable("-|UNKNOWN|parley.wire-3", new byte[] {(byte) 0xFF, 0, 1}));

        JsonNode message = json("/v1/conversations/-/UNKNOWN/parley.wire-3/messages?bodies=true")
                .path("items")
                .path(0);

        assertThat(message.path("raw").asText()).isEqualTo("/wAB");
        assertThat(message.path("rawEncoding").asText()).isEqualTo("base64");
        assertThat(message.path("message").isNull()).isTrue();
        assertThat(message.path("code").asText()).isEqualTo("UNKNOWN_PROTOCOL");
        assertThat(message.path("position").asInt()).isZero();
    }

    @Test
    void thePrivateBodyOfALambdaMessageIsMasked() {
        views.conversations.add(Samples.conversation("default", Protocol.LAMBDA, "x", 1));
        views.messages.add(Samples.privateLambda("x"));

        String body =
                get("/v1/conversations/default/LAMBDA/x/messages?bodies=true").body();

        JsonNode message = parse(body).path("items").path(0);
        assertThat(body).doesNotContain("secret");
        assertThat(message.path("redacted").asBoolean()).isTrue();
        assertThat(message.path("raw").isNull()).isTrue();
        assertThat(message.path("message").path("lambda").path("trust").asText())
                .isEqualTo("PRIVATE");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/conversations?limit=0, limit, 1 to 1000",
        "/v1/conversations?limit=1001, limit, 1 to 1000",
        "/v1/conversations?limit=ten, limit, 1 to 1000",
        "/v1/conversations?limit=-1, limit, 1 to 1000",
        "/v1/conversations?limit=99999999999999999999, limit, 1 to 1000",
        "/v1/conversations?limit=1&limit=2, limit, only once",
        "/v1/conversations?limti=1, limti, 'at-least, code, cursor, limit, namespace, order, protocol, sort, stale, verdict'",
        "/v1/conversations?protocol=xml, protocol, 'SLIP, SUBIT, CSP, LAMBDA'",
        "/v1/conversations/default/xml/7, protocol, 'SLIP, SUBIT, CSP, LAMBDA'",
        "/v1/conversations/default/SLIP/7?limit=1, limit, 'at-least, stale'",
        "/v1/conversations/default/SLIP/7/messages?from=-1, from, integer",
        "/v1/conversations/default/SLIP/7/messages?from=9223372036854775808, from, integer",
        "/v1/conversations/default/SLIP/7/messages?cursor=x, cursor, 'at-least, bodies, from, limit, stale'",
    })
    void anInvalidParameterIsNamedWithItsAllowedValues(String path, String parameter, String allowed) {
        assertThat(problem(path, ProblemException.Code.INVALID_PARAMETER)
                        .path("detail")
                        .asText())
                .matches("(Parameter " + parameter + " |Unknown query parameter '" + parameter + "'\\. ).*")
                .contains(allowed);
    }

    @Test
    void aCursorOfAnotherQueryIsRejected() {
        problem("/v1/conversations?cursor=strange", ProblemException.Code.INVALID_CURSOR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/conversations/default/SLIP/8", "/v1/conversations/default/SLIP/8/messages"})
    void anUnknownConversationIsNamed(String path) {
        assertThat(problem(path, ProblemException.Code.UNKNOWN_CONVERSATION)
                        .path("detail")
                        .asText())
                .contains("default", "SLIP", "8");
    }

    @ParameterizedTest
    @CsvSource({"10, c10, 62", "c10, c10, 62", "c7, c7, 7"})
    void anUnknownConversationOfSlipHasItsNumberOnTheWire(String name, String field, long number) {
        assertThat(problem("/v1/conversations/default/slip/" + name, ProblemException.Code.UNKNOWN_CONVERSATION)
                        .path("detail")
                        .asText())
                .endsWith("has no SLIP conversation " + name + ". On the wire, " + field + " is conversation " + number
                        + ".");
    }

    @Test
    void anUnknownConversationOfSlipWithoutANumberHasNone() {
        assertThat(problem("/v1/conversations/default/slip/nobody!", ProblemException.Code.UNKNOWN_CONVERSATION)
                        .path("detail")
                        .asText())
                .endsWith("has no SLIP conversation nobody!.");
    }

    @Test
    void aMessageIsFoundByItsSequence() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 3));
        views.messages.add(Samples.slip("7", 0));
        views.messages.add(Samples.slip("7", 2));

        JsonNode message = json("/v1/conversations/default/slip/7/messages/2");
        assertThat(message.path("chain").asText()).isEqualTo("default|SLIP|7");
        JsonNode listed = json("/v1/conversations/default/slip/7/messages?bodies=true&from=2")
                .at("/items/0");
        listed.properties()
                .forEach(property -> assertThat(message.get(property.getKey())).isEqualTo(property.getValue()));
        problem("/v1/conversations/default/slip/7/messages/1", ProblemException.Code.UNKNOWN_MESSAGE);
        problem("/v1/conversations/default/slip/7/messages/3", ProblemException.Code.UNKNOWN_MESSAGE);
        problem("/v1/conversations/default/slip/7/messages/-1", ProblemException.Code.INVALID_PARAMETER);
    }

    @Test
    void aRedactedMessageHasRequesterAndReasonButNoContent() {
        AuditRecord link = Samples.slip("7", 0);
        Redaction redaction = Links.redactionOf(link);
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 2));
        views.messages.add(Redactions.redact(link, redaction));
        views.messages.add(Samples.redacting(redaction, 1));

        JsonNode items = json("/v1/conversations/default/slip/7/messages").path("items");
        JsonNode redacted = items.path(0);
        assertThat(redacted.path("redacted").asBoolean()).isTrue();
        assertThat(redacted.path("redactedBy")).isEqualTo(parse(ApiJson.text(redaction)));
        assertThat(redacted.path("message").isNull()).isTrue();
        assertThat(redacted.path("raw").isNull()).isTrue();
        assertThat(redacted.path("detail").isNull()).isTrue();
        assertThat(redacted.path("hash").asText()).isEqualTo(AvroJson.hex(link.getHash()));
        JsonNode event = items.path(1);
        assertThat(event.path("redacted").asBoolean()).isFalse();
        assertThat(event.path("redaction")).isEqualTo(parse(ApiJson.text(redaction)));
        assertThat(event.path("gloss").asText())
                .isEqualTo(redaction.getBy() + " redacts message 0: " + redaction.getReason());
    }
}
