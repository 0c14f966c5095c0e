package dev.parley.server.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.InputPosition;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.encoding.Sha256;
import dev.parley.server.api.HttpTest;
import dev.parley.server.api.Samples;
import dev.parley.server.api.Tokens;
import dev.parley.server.http.HttpSecurity;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Key and headers of the input record of a message. */
class InputDetailsHandlerTest extends HttpTest {
    private static final byte[] VALUE = "value".getBytes(UTF_8);
    private static final String PATH = "/v1/conversations/default/slip/7/messages/0/input";

    private AuditRecord audit;
    private InputPosition position;

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @BeforeEach
    void record() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 1));
        audit = Samples.slip("7", 0);
        audit.setPayloadHash(ByteBuffer.wrap(Sha256.of(VALUE)));
        views.messages.add(audit);
        position = InputPosition.of(audit.getSource());
    }

    private void input(byte[] value) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(
                position.topic(), position.partition(), position.offset(), "k".getBytes(UTF_8), value);
        record.headers()
                .add("parley-namespace", "a".getBytes(UTF_8))
                .add("b", null)
                .add("b", new byte[] {-1});
        redriver.inputs.put(position, record);
    }

    private JsonNode read(String role) {
        var response = send("GET", PATH, "Authorization", "Bearer " + role);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return parse(response.body());
    }

    private void assertNone(String status) {
        assertThat(read("auditor").toString())
                .isEqualTo("{\"status\":\"" + status + "\",\"key\":null,\"headers\":null}");
    }

    @Test
    void keyAndHeadersAreThoseOfTheInputInTheirOrder() {
        input(VALUE);

        JsonNode found = read("auditor");

        assertThat(found.path("status").asText()).isEqualTo("AVAILABLE");
        assertThat(found.at("/key/text").asText()).isEqualTo("k");
        assertThat(found.path("headers"))
                .map(JsonNode::toString)
                .containsExactly(
                        "{\"name\":\"parley-namespace\",\"text\":\"a\",\"encoding\":\"utf-8\"}",
                        "{\"name\":\"b\",\"text\":null,\"encoding\":null}",
                        "{\"name\":\"b\",\"text\":\"/w==\",\"encoding\":\"base64\"}");
    }

    @Test
    void keyAndHeadersAreForAuditorsAndNotOfRedactedMessages() {
        input(VALUE);
        assertThat(read("operator").path("headers")).hasSize(3);
        assertThat(send("GET", PATH, "Authorization", "Bearer reader").statusCode())
                .isEqualTo(403);

        Redaction redaction = new Redaction(
                audit.getChain(), 0L, audit.getSource(), audit.getHash(), "a name", "operator", Instant.EPOCH, false);
        views.redactions.add(redaction);
        assertNone("REDACTED");

        views.redactions.clear();
        views.messages.set(0, Redactions.redact(audit, redaction));
        assertNone("REDACTED");
    }

    @Test
    void aRecordThatExpiredOrThatAnotherReplacedHasNone() {
        assertNone("EXPIRED");
        input("another".getBytes(UTF_8));
        assertNone("REPLACED");
    }

    @Test
    void theInputOfAMessageInACloudEventIsTheEvent() {
        audit.setPayloadHash(ByteBuffer.wrap(Sha256.of("?Uc/la".getBytes(UTF_8))));
        ConsumerRecord<byte[], byte[]> event = new ConsumerRecord<>(
                position.topic(),
                position.partition(),
                position.offset(),
                null,
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/a\",\"type\":\"t\",\"data\":\"?Uc/la\"}"
                        .getBytes(UTF_8));
        event.headers().add("content-type", "application/cloudevents+json".getBytes(UTF_8));
        redriver.inputs.put(position, event);

        assertThat(read("auditor").path("status").asText()).isEqualTo("AVAILABLE");
    }

    @Test
    void theRecordOfARedactionHasNone() {
        audit.setRedaction(new Redaction(
                audit.getChain(), 1L, audit.getSource(), audit.getHash(), "a name", "operator", Instant.EPOCH, false));
        assertNone("NO_MESSAGE");
    }
}
