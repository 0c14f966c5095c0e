package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.server.http.HttpSecurity;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be sent next: the position, the verdict on a draft, and the messages of a remedy. */
class ComposeTest extends HttpTest {
    private static final String TALK = "/v1/conversations/default/slip/7/compose";

    private final OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
    private long offset;

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    private void say(String wire, String... headers) {
        Source source = new Source("parley.wire", 0, offset++, Instant.now(), null);
        List<InboundHeader> inbound = new ArrayList<>();
        for (int i = 0; i < headers.length; i += 2) {
            inbound.add(new InboundHeader(headers[i], ByteBuffer.wrap(headers[i + 1].getBytes(UTF_8))));
        }
        pipeline.accept(
                new WireRecord(source, null, wire.getBytes(UTF_8), RecordHeaders.NONE),
                inbound,
                judged -> {},
                views.messages::add);
    }

    /** A plan that was accepted, and another plan after it, at position 3. */
    private void fail() {
        say("@a3|f0|c7|S0|d1|T1|k1#");
        say("@a4|f1|c7|S1|d0|T2|k1#");
        say("@a6|f1|c7|S0|d1|T3|k1#");
        say("@a4|f1|c7|S1|d0|T4|k1#");
    }

    private HttpResponse<String> ask(String role, String path, String draft) {
        return send(HttpRequest.newBuilder(URI.create(server().uri() + path))
                .header("Authorization", "Bearer " + role)
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(draft))
                .build());
    }

    private JsonNode compose(String role, String path, String draft) {
        HttpResponse<String> response = ask(role, path, draft);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return parse(response.body());
    }

    @Test
    void theMessagesOfARemedyHaveTheAgentsAndTheNextFreeTurns() {
        fail();
        JsonNode answer = compose("reader", TALK + "?repair=3", "");

        assertThat(answer.path("expect").asLong()).isEqualTo(4);
        assertThat(answer.path("exact").asBoolean()).isTrue();
        assertThat(answer.path("repair").findValuesAsText("wire"))
                .containsExactly("@a9|f2|c7|S1|d0|T5|k1#", "@a3|f0|c7|S0|d1|T6|k1#", "@a4|f1|c7|S1|d0|T7|k1#");
        assertThat(answer.path("repair").findValuesAsText("act")).containsExactly("ERROR", "REQUEST", "AGAIN");
        assertThat(answer.path("repair")).allMatch(step -> step.path("code").isNull());
        assertThat(answer.path("warning").asText()).contains("T7");
        assertThat(answer.path("omitted").isNull()).isTrue();
        assertThat(answer.path("templates").findValuesAsText("act")).contains("COMMIT", "INFORM", "ERROR");
        assertThat(answer.path("templates").findValuesAsText("act")).doesNotContain("PROPOSE", "REQUEST");
        for (JsonNode step : answer.path("repair")) {
            say(step.path("wire").asText());
            assertThat(views.messages.get(views.messages.size() - 1).getCode()).isNull();
        }
    }

    @Test
    void aDraftHasItsVerdictAndNothingIsSent() {
        fail();
        int before = views.messages.size();
        JsonNode wrong = compose("reader", TALK, "@a4|f1|c7|S1|d0|T4|k2#");
        JsonNode right = compose("reader", TALK, "@a9|f2|c7|S1|d0|T5|k1#");
        JsonNode broken = compose("reader", TALK, "@a9|f2|c7|S1|d0|T5|k1");

        assertThat(wrong.at("/draft/code").asText()).isEqualTo("SLIP_TURN_REUSED");
        assertThat(wrong.at("/draft/freeTurn").asText()).isEqualTo("@a4|f1|c7|S1|d0|T5|k2#");
        assertThat(broken.at("/draft/freeTurn").isNull()).isTrue();
        assertThat(wrong.at("/draft/remedy").asText()).isNotEmpty();
        assertThat(right.at("/draft/verdict").asText()).isEqualTo("ACCEPTED");
        assertThat(right.at("/draft/sender").asText()).isEqualTo("1");
        assertThat(broken.at("/draft/verdict").asText()).isEqualTo("UNDECODABLE");
        assertThat(broken.at("/draft/position").asInt()).isEqualTo(21);
        assertThat(views.messages).hasSize(before);
    }

    @Test
    void aRemedyWithoutMessagesSaysSo() {
        say("@a6|f1|c7|S0|d1|T1|k1#");
        JsonNode answer = compose("reader", TALK + "?repair=0", "");

        assertThat(answer.path("repair")).isEmpty();
        assertThat(answer.path("omitted").asText()).contains("SLIP_NOTHING_TO_ACCEPT");
        assertThat(compose("reader", TALK + "?repair=9", "").path("omitted").asText())
                .contains("no message");
    }

    @Test
    void sessionsOfMcpHaveAReasonInPlaceOfTemplates() {
        say(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
                "parley-protocol",
                "mcp",
                "parley-conversation",
                "s",
                "parley-direction",
                "client-to-server");
        JsonNode answer = compose("reader", "/v1/conversations/default/mcp/s/compose" + "?repair=0", "");

        assertThat(answer.path("omitted").asText()).contains("reaches neither");
        assertThat(answer.path("templates")).isEmpty();
    }

    @Test
    void aReaderGetsNoTemplateOfAHiddenMessage() {
        say("prv: !secret", "parley-protocol", "lambda", "parley-conversation", "p", "parley-sender", "a");
        String path = "/v1/conversations/default/lambda/p/compose";
        HttpResponse<String> hidden = ask("reader", path + "?repair=0", "");

        assertThat(hidden.body()).doesNotContain("secret");
        assertThat(parse(hidden.body()).path("exact").asBoolean()).isFalse();
        assertThat(parse(hidden.body()).path("omitted").asText()).contains("may see");
        assertThat(ask("auditor", path, "").body()).contains("secret");
    }

    @Test
    void aBodyOfAnotherFormAndAnUnknownConversationAreProblems() {
        assertThat(ask("reader", TALK, "").statusCode()).isEqualTo(404);
        fail();
        assertThat(ask("reader", TALK + "?repair=-1", "").statusCode()).isEqualTo(400);
        assertThat(ask("reader", TALK + "?repair=x", "").statusCode()).isEqualTo(400);
        assertThat(ask("reader", TALK + "?other=1", "").statusCode()).isEqualTo(400);
        assertThat(ask("reader", TALK + "?draft=x", "").statusCode()).isEqualTo(400);
        assertThat(ask("reader", TALK, "@a9|f2|c8|S1|d0|T5|k1#").statusCode()).isEqualTo(400);
        assertThat(ask("producer", TALK, "").statusCode()).isEqualTo(403);
    }
}
