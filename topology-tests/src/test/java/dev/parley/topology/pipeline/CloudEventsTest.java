package dev.parley.topology.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.AuditChain;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.codec.Code;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A CloudEvent on an input topic is the message that it contains. */
class CloudEventsTest extends AbstractPipelineTest {
    private static final String MESSAGE = "@a3|f0|c7|S0|d1|T1|k1#";

    @TempDir
    private Path files;

    @Test
    void aStructuredEventIsEqualToItsMessage() {
        start();

        Source event = pipeline.send(structured("\"" + MESSAGE + "\""));
        Source plain = pipeline.send(InputRecord.text(MESSAGE));

        assertThat(pipeline.auditOf(event).getMessage().getRaw()).isEqualTo(ByteBuffer.wrap(MESSAGE.getBytes(UTF_8)));
        assertThat(pipeline.auditOf(event).getPayloadHash())
                .isEqualTo(pipeline.auditOf(plain).getPayloadHash());
        assertThat(pipeline.auditOf(plain).getWarnings()).containsExactly(Code.SLIP_DUPLICATE.name());
    }

    @Test
    void attributesAreThoseOfTheMessageInBothModes() {
        start();
        String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        Map<String, String> attributes = Map.of(
                "parleynamespace", "acme",
                "parleyconversation", "talk",
                "parleysender", "A1",
                "time", "2026-01-31T12:00:00Z",
                "traceparent", parent);
        InputRecord binary = InputRecord.text("!Ik")
                .header("ce_specversion", "1.0")
                .header("ce_id", "1")
                .header("ce_source", "/a")
                .header("ce_type", "msg")
                .header("content-type", "text/plain");
        StringBuilder members = new StringBuilder("\"!Ik\"");
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            binary = binary.header("ce_" + attribute.getKey(), attribute.getValue());
            members.append(",\"" + attribute.getKey() + "\":\"" + attribute.getValue() + "\"");
        }

        for (InputRecord event : List.of(structured(members.toString()).header("parley-sender", "B2"), binary)) {
            AuditRecord audit = sent(event);

            assertThat(audit.getChain()).isEqualTo("acme|LAMBDA|talk");
            assertThat(audit.getMessage().getSender()).isEqualTo("A1");
            assertThat(audit.getSource().getProducerTime()).isEqualTo(Instant.parse("2026-01-31T12:00:00Z"));
        }
        assertThat(pipeline.auditRecords())
                .hasSize(2)
                .allSatisfy(record -> assertThat(texts(record.headers())).containsEntry("traceparent", parent));
    }

    @Test
    void aDeadLetterOfAnEventCanBeSentAgain() {
        start();
        InputRecord event = structured("\"@a6|f1|c7|S0|d1|T1|k9#\",\"parleynamespace\":\"acme\"");

        AuditRecord first = pipeline.auditOf(pipeline.send(event));
        TestRecord<byte[], byte[]> letter = pipeline.deadLetters(Stage.JUDGE).get(0);
        InputRecord again = InputRecord.bytes(letter.value());
        for (Header header : letter.headers()) {
            again = again.header(header.key(), header.value());
        }
        AuditRecord second = pipeline.auditOf(pipeline.send(again));

        assertThat(letter.value()).asString(UTF_8).isEqualTo("@a6|f1|c7|S0|d1|T1|k9#");
        assertThat(letter.headers().lastHeader("content-type")).isNull();
        assertThat(second.getChain()).isEqualTo(first.getChain()).isEqualTo("acme|SLIP|7");
        assertThat(second.getCode()).isEqualTo(first.getCode());
    }

    @Test
    void anEventThatIsNoMessageIsUndecodable() {
        start();

        AuditRecord number = pipeline.auditOf(pipeline.send(structured("42")));
        AuditRecord empty = pipeline.auditOf(pipeline.send(structured("\"\"")));
        AuditRecord emptyOverHttp = pipeline.auditOf(pipeline.send(InputRecord.text("")));
        AuditRecord none = pipeline.auditOf(pipeline.send(structured("null")));

        assertThat(number.getCode()).isEqualTo(Code.UNKNOWN_PROTOCOL.name());
        assertThat(number.getRaw()).isEqualTo(ByteBuffer.wrap("42".getBytes(UTF_8)));
        assertThat(empty.getCode()).isEqualTo(emptyOverHttp.getCode()).isEqualTo(Code.EMPTY_VALUE.name());
        assertThat(none.getCode()).isEqualTo(Code.EVENT_MALFORMED.name());
        assertThat(pipeline.deadLetters(Stage.DECODE).get(3).value())
                .as("whole")
                .isEqualTo(structured("null").value());
    }

    @Test
    void anEventCannotLeaveTheNamespacesOfItsTopic() throws IOException {
        start(Map.of(
                ParleyConfig.INPUT_POLICY_FILE,
                Files.writeString(
                                files.resolve("policy.jsonl"),
                                "{\"topic\":\"a.wire\",\"namespaces\":[\"a\"],\"senders\":[\"*\"]}\n")
                        .toString()));
        InputRecord structured =
                structured("\"" + MESSAGE + "\",\"parleynamespace\":\"victim\"").header("parley-namespace", "a");
        InputRecord binary = InputRecord.text(MESSAGE)
                .header("parley-namespace", "a")
                .header("ce_specversion", "1.0")
                .header("ce_parleynamespace", "victim");

        for (InputRecord event : List.of(structured, binary)) {
            assertThat(pipeline.auditOf(pipeline.send(event.to("a.wire"))).getCode())
                    .isEqualTo(Code.INPUT_NOT_ALLOWED.name());
        }
        assertThat(pipeline.audit()).noneMatch(record -> record.getChain().startsWith("victim|"));
    }

    @Test
    void theOfflinePipelineUnwrapsEventsToo() {
        start();
        OfflinePipeline offline = new OfflinePipeline(StageSettings.DEFAULT);

        for (InputRecord event : List.of(
                structured("\"" + MESSAGE + "\",\"parleynamespace\":\"acme\",\"time\":\"2026-01-31T12:00:00Z\""),
                structured("42"),
                structured("null"))) {
            AuditRecord expected = sent(event);
            List<AuditRecord> audit = new ArrayList<>();
            Map<String, byte[]> headers = new HashMap<>();
            List<InboundHeader> stored = new ArrayList<>();
            for (Header header : event.headers()) {
                headers.put(header.key(), header.value());
                stored.add(new InboundHeader(header.key(), ByteBuffer.wrap(header.value())));
            }
            Source unclaimed = Source.newBuilder(expected.getSource())
                    .setProducerTime(null)
                    .build();
            offline.accept(
                    new WireRecord(unclaimed, event.key(), event.value(), RecordHeaders.of(headers)),
                    stored,
                    judged -> {},
                    audit::add);

            assertThat(audit).hasSize(1);
            AuditRecord record = audit.get(0);
            assertThat(record.getChain()).isEqualTo(expected.getChain());
            record.setLog(expected.getLog());
            // The salts of the two pipelines differ, and with them the hashes of earlier records.
            record.setSalt(expected.getSalt());
            record.setPreviousHash(expected.getPreviousHash());
            assertThat(new AuditChain().seal(record).auditRecord().getHash()).isEqualTo(expected.getHash());
        }
    }

    /** Sends a record. Returns its audit record, whose claimed time may come from the event. */
    private AuditRecord sent(InputRecord record) {
        long offset = pipeline.send(record).getOffset();
        return pipeline.audit().stream()
                .filter(audit -> audit.getSource().getOffset() == offset)
                .findFirst()
                .orElseThrow();
    }

    /** An event in JSON with data, which may be followed by other members. */
    private static InputRecord structured(String data) {
        return InputRecord.text("{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/a\",\"type\":\"msg\",\"data\":"
                        + data + "}")
                .header("content-type", "application/cloudevents+json; charset=utf-8");
    }
}
