package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.RecordHeaders;
import dev.parley.topology.config.ParleyConfig;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/**
 * Of a record that is larger than a message may be, only a summary goes on: in both layouts of the pipeline, for every
 * part that can be too large.
 */
class OversizedRecordTest extends AbstractPipelineTest {
    private static final int LIMIT = 1 << 20;

    @Test
    void oversizedValueIsSummarizedEverywhere() throws Exception {
        start();
        byte[] value = "x".repeat(LIMIT + 1).getBytes(UTF_8);

        Source source = pipeline.send(InputRecord.bytes(value).key("k").header("x", "1"));

        AuditRecord audit = pipeline.auditOf(source);
        assertThat(audit.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
        assertThat(audit.getCode()).isEqualTo(Code.MESSAGE_TOO_LARGE.name());
        assertThat(audit.getRaw()).isNull();
        assertThat(audit.getPayloadHash()).isEqualTo(ByteBuffer.wrap(sha256(value)));
        assertThat(audit.getOmitted().getSha256()).isEqualTo(audit.getPayloadHash());
        assertThat(audit.getOmitted().getValueBytes()).isEqualTo(value.length);
        assertThat(audit.getOmitted().getKeyBytes()).isOne();
        assertThat(audit.getOmitted().getHeaderCount()).isOne();
        assertThat(audit.getOmitted().getHeaderBytes()).isEqualTo(2);
        assertThat(audit.getOmitted().getPrefix()).isNull();
        TestRecord<byte[], byte[]> letter = pipeline.deadLetters(Stage.DECODE).get(0);
        assertThat(letter.value()).isNull();
        assertThat(letter.key()).isEqualTo("k".getBytes(UTF_8));
        assertThatLetter(letter)
                .failedAt(Stage.DECODE, Code.MESSAGE_TOO_LARGE)
                .cameFrom(source)
                .has("x", "1")
                .has("parley.error.value-size", Integer.toString(value.length))
                .has("parley.error.value-sha256", HexFormat.of().formatHex(sha256(value)))
                .has("parley.error.value-prefix", "x".repeat(200));
        assertThat(texts(letter.headers()).get("__streams.errors.message"))
                .contains("kafka-console-consumer", "--topic parley.wire --partition 0 --offset 0");
    }

    @Test
    void oversizedKeyIsOmittedWithItsValue() throws Exception {
        start(Map.of(ParleyConfig.KEYED, true));
        InputRecord wire = InputRecord.slipRequest(7, 1).key(new byte[(64 << 10) + 1]);

        Source source = pipeline.send(wire);

        assertOmitted(source, Code.KEY_TOO_LARGE, wire);
        assertThat(pipeline.deadLetters(Stage.DECODE).get(0).key()).isNull();
        Source largest = pipeline.send(InputRecord.text("hello").key(new byte[64 << 10]));
        assertThat(pipeline.auditOf(largest).getCode()).isEqualTo(Code.UNKNOWN_PROTOCOL.name());
    }

    @Test
    void tooManyHeadersAreNotForwarded() throws Exception {
        start();
        InputRecord wire = InputRecord.slipRequest(7, 1);
        for (int i = 0; i < 1_000; i++) {
            wire.headers().add("h", null);
        }
        assertThat(pipeline.auditOf(pipeline.send(wire)).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        InputRecord more = InputRecord.slipRequest(7, 2);
        wire.headers().forEach(more.headers()::add);
        more.headers().add("traceparent", "t".getBytes(UTF_8));

        Source source = pipeline.send(more);

        assertOmitted(source, Code.HEADERS_TOO_LARGE, more);
        assertThat(pipeline.deadLetters(Stage.DECODE).get(0).headers().lastHeader("traceparent"))
                .isNull();
        assertThat(pipeline.auditRecords().get(1).headers().lastHeader("traceparent"))
                .isNull();
    }

    @Test
    void oversizedHeadersAreNotForwarded() throws Exception {
        start();
        InputRecord wire = InputRecord.slipRequest(7, 1).header("tracestate", new byte[256 << 10]);

        assertOmitted(pipeline.send(wire), Code.HEADERS_TOO_LARGE, wire);
    }

    @Test
    void tombstoneWithALargeKeyHasTheHashOfNoBytes() throws Exception {
        start();
        InputRecord wire = InputRecord.tombstone().key(new byte[100_000]);

        Source source = pipeline.send(wire);

        assertThat(pipeline.auditOf(source).getOmitted().getValueBytes()).isNull();
        assertThat(pipeline.auditOf(source).getPayloadHash()).isEqualTo(ByteBuffer.wrap(sha256(new byte[0])));
    }

    @Test
    void oversizedRedactionRequestIsMalformedRegardlessOfItsHeaders() {
        start();
        Source message = pipeline.send(InputRecord.slipRequest(7, 1));
        AuditRecord record = pipeline.auditOf(message);
        Redaction redaction = Redaction.newBuilder()
                .setChain(record.getChain())
                .setSequence(record.getSequence())
                .setSource(message)
                .setRecordHash(record.getHash())
                .setReason("r".repeat(70_000))
                .setBy("ops")
                .setTime(message.getTimestamp())
                .build();

        Source sent = pipeline.redact(redaction);

        assertThat(pipeline.auditOf(sent).getCode()).isEqualTo(Code.REDACTION_MALFORMED.name());
        assertThat(pipeline.auditOf(sent).getOmitted()).isNotNull();
    }

    /**
     * The second line of defense: whatever cannot be written is an internal dead letter, and the next record flows on.
     */
    @Test
    void oversizedOutputDoesNotStopThePipeline() {
        start(Map.of("schema.registry.parley.max.value.bytes", 4_000));
        Source large = pipeline.send(
                InputRecord.text("!" + "I".repeat(2_000)).key("k").header(RecordHeaders.PROTOCOL, "lambda"));
        Source honest = pipeline.send(InputRecord.slipRequest(7, 1));

        assertThat(pipeline.auditOf(honest).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.audit()).noneMatch(record -> record.getSource().equals(large));
        assertThat(pipeline.auditOf(honest).getLog().getIndex())
                .as("the log has the lost record too, which a verifier misses")
                .isOne();
        assertThat(pipeline.deadLetters(Stage.INTERNAL))
                .isNotEmpty()
                .allSatisfy(letter -> assertThatLetter(letter)
                        .failedAt(Stage.INTERNAL, Code.INTERNAL_ERROR)
                        .cameFrom(large));
    }

    private void assertOmitted(Source source, Code code, InputRecord wire) throws Exception {
        AuditRecord audit = pipeline.auditOf(source);
        assertThat(audit.getCode()).isEqualTo(code.name());
        assertThat(audit.getRaw()).isNull();
        assertThat(audit.getChain()).isEqualTo("|UNKNOWN|parley.wire-0");
        assertThat(audit.getOmitted().getHeaderCount()).isEqualTo(wire.headers().toArray().length);
        TestRecord<byte[], byte[]> letter = pipeline.deadLetters(Stage.DECODE).get(0);
        assertThat(letter.value()).isNull();
        assertThat(letter.headers().toArray()).hasSizeLessThan(20);
        assertThatLetter(letter)
                .failedAt(Stage.DECODE, code)
                .has("parley.error.value-sha256", HexFormat.of().formatHex(sha256(wire.value())))
                .has(
                        "parley.error.value-prefix",
                        new String(Arrays.copyOf(wire.value(), Math.min(200, wire.value().length)), UTF_8));
    }

    private static byte[] sha256(byte[] bytes) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }
}
