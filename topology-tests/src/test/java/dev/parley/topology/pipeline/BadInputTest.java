package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.log.ChainVerifier;
import dev.parley.protocol.TopicNames;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every bad input ends in the dead letters of its stage, whole, under a stable code; it is audited; and the next
 * message flows on.
 */
class BadInputTest {
    private static final byte[] NOT_UTF8 = {'s', (byte) 0xc3, (byte) 0x28};

    @TempDir
    private Path directory;

    static Stream<Arguments> badInputs() {
        return Stream.of(
                undecodable(
                        "prose",
                        Code.UNKNOWN_PROTOCOL,
                        InputRecord.text("Hello team").key("k")),
                undecodable(
                        "a header that names no protocol",
                        Code.UNKNOWN_PROTOCOL,
                        InputRecord.slipRequest(7, 1).header("parley-protocol", "fipa-acl")),
                undecodable("a broken message", Code.SLIP_BAD_STRING, InputRecord.text("@a3|f0|c7|S0|d1|T1|t\"oops#")),
                undecodable(
                        "a message of another protocol on a protocol's own topic",
                        Code.CSP_NOT_CSP,
                        InputRecord.slipRequest(7, 1).to("parley.wire.csp").key("ctx")),
                undecodable(
                        "bytes that are no text",
                        Code.UNKNOWN_PROTOCOL,
                        InputRecord.bytes(random(1_000)).key("k")),
                undecodable("no conversation", Code.NO_CONVERSATION, InputRecord.text("!Ik/co")),
                undecodable(
                        "an empty key for a conversation",
                        Code.NO_CONVERSATION,
                        InputRecord.text("!Ik/co").key("")),
                undecodable(
                        "a key that is no text for a conversation",
                        Code.NO_CONVERSATION,
                        InputRecord.text("!Ik/co").key(NOT_UTF8)),
                undecodable("neither key nor value", Code.NULL_VALUE, InputRecord.tombstone()),
                undecodable(
                        "a tombstone with a key",
                        Code.NULL_VALUE,
                        InputRecord.tombstone().key("default|SLIP|7")),
                undecodable(
                        "a tombstone on a protocol's own topic",
                        Code.NULL_VALUE,
                        InputRecord.tombstone().key("7").to("parley.wire.slip")),
                undecodable(
                        "an empty value", Code.EMPTY_VALUE, InputRecord.text("").key("k")),
                undecodable(
                        "an empty value on the topic of SLIP",
                        Code.EMPTY_VALUE,
                        InputRecord.text("").to("parley.wire.slip")),
                undecodable(
                        "an empty value on the topic of SUBIT",
                        Code.EMPTY_VALUE,
                        InputRecord.text("").key("k").to("parley.wire.subit")),
                undecodable(
                        "an empty value on the topic of CSP",
                        Code.EMPTY_VALUE,
                        InputRecord.text("").key("k").to("parley.wire.csp")),
                undecodable(
                        "an empty value on the topic of Λ",
                        Code.EMPTY_VALUE,
                        InputRecord.text("").key("k").to("parley.wire.lambda")),
                undecodable(
                        "ten megabytes",
                        Code.MESSAGE_TOO_LARGE,
                        InputRecord.bytes(random(10 << 20)).key("k")),
                undecodable(
                        "ten megabytes on a protocol's own topic",
                        Code.MESSAGE_TOO_LARGE,
                        InputRecord.bytes(random(10 << 20)).to("parley.wire.lambda")),
                undecodable(
                        "a namespace that is no text",
                        Code.BAD_HEADER,
                        InputRecord.slipRequest(7, 1).header("parley-namespace", NOT_UTF8)),
                undecodable(
                        "a protocol that is no text",
                        Code.BAD_HEADER,
                        InputRecord.slipRequest(7, 1).header("parley-protocol", NOT_UTF8)),
                undecodable(
                        "a conversation that is no text",
                        Code.BAD_HEADER,
                        InputRecord.text("!Ik/co").header("parley-conversation", NOT_UTF8)),
                undecodable(
                        "a sender that is no text",
                        Code.BAD_HEADER,
                        InputRecord.slipRequest(7, 1).header("parley-sender", NOT_UTF8)),
                illegal("an illegal act", Code.SLIP_NOTHING_TO_ACCEPT, InputRecord.slipAcceptOfNothing(7, 1)),
                illegal(
                        "an illegal packet",
                        Code.SUBIT_NO_INITIAL_STATE,
                        InputRecord.subit("INTENT", "000110110001").key("line-4")),
                illegal(
                        "an answer to nothing",
                        Code.LAMBDA_ACK_WITHOUT_ANTECEDENT,
                        InputRecord.text("<+").key("talk").header("parley-sender", "A1")),
                illegal(
                        "a wrong checksum",
                        Code.LAMBDA_CHECKSUM,
                        InputRecord.text("!Ik/co[n7]").key("talk")),
                illegal(
                        "a result of no task",
                        Code.CSP_RESULT_WITHOUT_TASK,
                        InputRecord.text(
                                        "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED x\nDATA y")
                                .key("ctx")),
                conflicting(
                        "a change of what is not there",
                        Code.CSP_CHANGE_MISSING,
                        InputRecord.patch("ctx", "P1", "C0", "C1", "~ DEF A := 1")),
                conflicting(
                        "a removal of what is not there",
                        Code.CSP_REMOVE_MISSING,
                        InputRecord.patch("ctx", "P1", "C0", "C1", "- DEF A")),
                conflicting(
                        "a patch onto itself",
                        Code.CSP_SELF_APPLY,
                        InputRecord.patch("ctx", "P1", "C1", "C1", "+ DEF A = 1")),
                conflicting(
                        "a name twice",
                        Code.CSP_PATCH_NAME_TWICE,
                        InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1", "~ DEF A := 2")));
    }

    private static Arguments undecodable(String what, Code code, InputRecord wire) {
        return arguments(what, Stage.DECODE, code, wire);
    }

    private static Arguments illegal(String what, Code code, InputRecord wire) {
        return arguments(what, Stage.JUDGE, code, wire);
    }

    private static Arguments conflicting(String what, Code code, InputRecord wire) {
        return arguments(what, Stage.APPLY, code, wire);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("badInputs")
    void badInputIsAuditedAsADeadLetterAndTheNextMessageIsProcessed(
            String what, Stage stage, Code code, InputRecord plain) {
        InputRecord wire = plain.header("anything", new byte[] {(byte) 0xff, 0}).header("empty", (byte[]) null);
        try (PipelineDriver pipeline = PipelineDriver.in(directory, Map.of())) {
            Source bad = pipeline.send(wire);
            Source next = pipeline.send(InputRecord.slipRequest(99, 1)
                    .to(
                            wire.topic().equals(TopicNames.DEFAULT.wire())
                                    ? TopicNames.DEFAULT.wire()
                                    : TopicNames.DEFAULT.wire() + ".slip"));

            assertThat(pipeline.deadLetters()).hasSize(1);
            assertThatLetter(pipeline.deadLetters(stage).get(0))
                    .isTheRecord(wire)
                    .failedAt(stage, code)
                    .cameFrom(bad)
                    .isExplained()
                    .has("parley.error.attempt", "1");
            AuditRecord audit = pipeline.auditOf(bad);
            assertThat(audit.getCode()).isEqualTo(code.name());
            assertThat(audit.getStage()).isEqualTo(stage.name());
            assertThat(audit.getVerdict()).isEqualTo(stage == Stage.DECODE ? "UNDECODABLE" : "REJECTED");
            assertThat(audit.getPayloadHash().array())
                    .isEqualTo(sha256(wire.value() == null ? new byte[0] : wire.value()));
            assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
            assertThat(pipeline.messages()).hasSize(1);
            ChainVerifier verifier = new ChainVerifier();
            assertThat(pipeline.audit())
                    .allSatisfy(link -> assertThat(verifier.check(link)).isEmpty());
        }
    }

    /** Headers that Parley does not use concern only the sender's. */
    @ParameterizedTest
    @MethodSource("foreignHeaders")
    void invalidUtf8InAnUnrelatedHeaderHasNoEffect(byte[] value) {
        try (PipelineDriver pipeline = PipelineDriver.in(directory, Map.of())) {
            Source source = pipeline.send(InputRecord.slipRequest(7, 1)
                    .header("traceparent", value)
                    .header("parley-other", value)
                    .header("x", value));

            assertThat(pipeline.auditOf(source).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
            assertThat(pipeline.auditRecords().get(0).headers().lastHeader("traceparent"))
                    .as("an invalid trace context is not copied")
                    .isNull();
        }
    }

    static List<byte[]> foreignHeaders() {
        return List.of(NOT_UTF8, new byte[0], new byte[] {0});
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        // So that nothing takes it for a message by chance.
        bytes[0] = (byte) 0xff;
        return bytes;
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
