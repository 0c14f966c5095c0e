package dev.parley.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Redaction;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RedactionFieldsTest {
    private static final String CHAIN = "chain must have 1 to 28000 bytes";
    private static final String SEQUENCE = "sequence must be >= 0";
    private static final String SOURCE = "source must be an input position";
    private static final String HASH = "recordHash must have 32 bytes";
    private static final String REASON = "reason must have 1 to 1000 characters";
    private static final String BY = "by must have 1 to 1000 characters";

    private final Redaction redaction =
            Links.redactionOf(Links.chain("default|SLIP|λ", 1).get(0));

    @Test
    void aRedactionOfAnAuditRecordIsValid() {
        assertThat(RedactionFields.check(redaction)).isEmpty();
    }

    static Stream<Arguments> validFields() {
        return Stream.of(
                field("the shortest chain", request -> request.setChain("c")),
                field("the longest chain", request -> request.setChain("c".repeat(28_000))),
                field("the longest chain of letters of two bytes", request -> request.setChain("λ".repeat(14_000))),
                field("the first sequence", request -> request.setSequence(0L)),
                field("the shortest topic", request -> request.getSource().setTopic("t")),
                field("the longest topic", request -> request.getSource().setTopic("t".repeat(249))),
                field("the first partition", request -> request.getSource().setPartition(0)),
                field("the first offset", request -> request.getSource().setOffset(0L)),
                field("the shortest reason", request -> request.setReason("r")),
                field("the longest reason", request -> request.setReason("r".repeat(1_000))),
                field("the shortest requester", request -> request.setBy("b")),
                field("the longest requester", request -> request.setBy("b".repeat(1_000))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("validFields")
    void aFieldAtItsBoundIsValid(String what, Consumer<Redaction> change) {
        change.accept(redaction);
        assertThat(RedactionFields.check(redaction)).isEmpty();
    }

    static Stream<Arguments> invalidFields() {
        return Stream.of(
                field("no chain", CHAIN, request -> request.setChain("")),
                field("a chain too long", CHAIN, request -> request.setChain("c".repeat(28_001))),
                field("a chain too long in bytes", CHAIN, request -> request.setChain("λ".repeat(14_000) + "c")),
                field("a negative sequence", SEQUENCE, request -> request.setSequence(-1L)),
                field("no topic", SOURCE, request -> request.getSource().setTopic("")),
                field("a topic too long", SOURCE, request -> request.getSource().setTopic("t".repeat(250))),
                field(
                        "a negative partition",
                        SOURCE,
                        request -> request.getSource().setPartition(-1)),
                field(
                        "a negative offset",
                        SOURCE,
                        request -> request.getSource().setOffset(-1L)),
                field(
                        "an impossible offset",
                        SOURCE,
                        request -> request.getSource().setOffset(Long.MAX_VALUE)),
                field("no hash", HASH, request -> request.setRecordHash(ByteBuffer.allocate(0))),
                field("a short hash", HASH, request -> request.setRecordHash(ByteBuffer.allocate(31))),
                field("a long hash", HASH, request -> request.setRecordHash(ByteBuffer.allocate(33))),
                field("no reason", REASON, request -> request.setReason("")),
                field("a blank reason", "reason must have a visible character", request -> request.setReason(" \t")),
                field(
                        "an invisible reason",
                        "reason must have a visible character",
                        request -> request.setReason("\u0000\u200B\uFE0F\u3164")),
                field(
                        "an unpaired surrogate",
                        "reason must not have an unpaired surrogate",
                        request -> request.setReason("r\uD800")),
                field("a reason too long", REASON, request -> request.setReason("r".repeat(1_001))),
                field("no requester", BY, request -> request.setBy("")),
                field("a blank requester", "by must have a visible character", request -> request.setBy("\n")),
                field("a requester too long", BY, request -> request.setBy("b".repeat(1_001))),
                field("several invalid fields", SEQUENCE, request -> {
                    request.setSequence(-1L);
                    request.setReason("");
                    request.setBy("");
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("invalidFields")
    void theFirstInvalidFieldIsNamedWithItsBounds(String what, String expected, Consumer<Redaction> change) {
        change.accept(redaction);
        assertThat(RedactionFields.check(redaction)).contains(expected);
    }

    @Test
    void onlyTheChainIsTheKeyOfItsRedaction() {
        assertThat(RedactionFields.isKeyed("default|SLIP|λ".getBytes(UTF_8), redaction))
                .isTrue();
        assertThat(RedactionFields.isKeyed("default|SLIP|l".getBytes(UTF_8), redaction))
                .isFalse();
        assertThat(RedactionFields.isKeyed(new byte[0], redaction)).isFalse();
        assertThat(RedactionFields.isKeyed(null, redaction)).isFalse();
    }

    private static Arguments field(String what, Consumer<Redaction> change) {
        return Arguments.of(what, change);
    }

    private static Arguments field(String what, String expected, Consumer<Redaction> change) {
        return Arguments.of(what, expected, change);
    }
}
