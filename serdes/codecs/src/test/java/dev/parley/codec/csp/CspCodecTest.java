package dev.parley.codec.csp;

import static dev.parley.codec.csp.CspSamples.FILE;
import static dev.parley.codec.csp.CspSamples.PATCH;
import static dev.parley.codec.csp.CspSamples.RESULT;
import static dev.parley.codec.csp.CspSamples.TASK;
import static dev.parley.codec.csp.CspSamples.head;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.Limits;
import dev.parley.codec.Rounds;
import dev.parley.conformance.Vectors;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CspCodecTest {
    private final CspCodec codec = new CspCodec();

    @Test
    void keysInAnyOrderRoundTripByteForByte() {
        long seed = Objects.requireNonNullElseGet(Long.getLong("parley.seed"), System::nanoTime);
        Random random = new Random(seed);
        for (int round = 0; round < Rounds.of(500); round++) {
            List<String> wires = List.of(
                    shuffled("TASK", "TASK T1", random, "REQ x", "IN a", "OUT", "OWNER B", "PRIORITY P1", "NOTE n\n o"),
                    shuffled("ERROR", "ERROR E1", random, "AT T1", "CAUSE\nx", "NEXT y", "DEF A = b", "DEF C"),
                    shuffled("FILE", "FILEOP F1 MOVE", random, "PATH x", "BASE h", "TARGET t"),
                    shuffled("PATCH", "PATCH P1", random, "BASE C0", "+ DEF A = b", "- DEF C", "APPLY -> C1", "WHY x"));
            for (String wire : wires) {
                assertThat(encoded(decoded(wire)))
                        .as("replay with -Dparley.seed=%d", seed)
                        .isEqualTo(wire);
            }
        }
    }

    private static String shuffled(String intent, String first, Random random, String... keys) {
        List<String> body = Arrays.asList(keys);
        Collections.shuffle(body, random);
        return head(intent) + first + "\n" + String.join("\n", body);
    }

    @Test
    void aRecordHasAllFieldsThatAvroRequires() throws Exception {
        for (String wire : Vectors.canonicalWires(Protocol.CSP)) {
            CspMessage message = decoded(wire);
            assertThat(message.toByteBuffer().remaining()).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource
    void anUnrepresentableRecordIsRefusedWithItsField(String wire, Consumer<CspMessage> change, String field) {
        CspMessage message = decoded(wire);
        change.accept(message);
        assertThatThrownBy(() -> codec.encode(message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field);
    }

    static Stream<Arguments> anUnrepresentableRecordIsRefusedWithItsField() {
        return Stream.of(
                refused(TASK, message -> message.setIntent(CspIntent.UNKNOWN), "intent"),
                refused(TASK, message -> message.setIntent(CspIntent.QUERY), "request"),
                refused(TASK, message -> message.setSender("A\nTO B"), "sender"),
                refused(TASK, message -> message.setSender(""), "FROM"),
                refused(TASK, message -> message.setRecipient(", ,"), "TO , ,"),
                refused(TASK, message -> message.setCtx(" C0"), "ctx"),
                refused(TASK, message -> message.setCtx("C0\t"), "ctx"),
                refused(TASK, message -> message.setId("T 1"), "id"),
                refused(TASK, message -> message.setId("T\t1"), "id"),
                refused(TASK, message -> message.setId("é 1"), "id"),
                refused(TASK, message -> message.setId("T".repeat(300) + " 1"), "id"),
                refused(TASK, message -> message.setId(""), "id"),
                refused(TASK, message -> message.setCtx("C0 "), "ctx"),
                refused(TASK, message -> message.setCtx("C0".repeat(200) + " "), "ctx"),
                refused(TASK, message -> message.setId(null), "ID"),
                refused(TASK, message -> message.setRequest(null), "REQ"),
                refused(TASK, message -> message.setRequest("x\nIN y"), "REQ"),
                refused(TASK, message -> message.setRequest("x\n"), "REQ"),
                refused(TASK, message -> message.setRequest("x \ny"), "REQ"),
                refused(TASK, message -> message.setOwner("\uD800"), "OWNER"),
                refused(TASK, message -> message.setOwner(" B"), "OWNER"),
                refused(TASK, message -> message.setOwner("B "), "OWNER"),
                refused(TASK, message -> message.setOwner("é\t"), "OWNER"),
                refused(TASK, message -> message.setOwner("B".repeat(300) + "\t"), "OWNER"),
                refused(TASK, message -> message.setStatus("OK"), "status"),
                refused(TASK, message -> message.setTarget("C1"), "target"),
                refused(TASK, message -> message.setFields(List.of(new CspField("note", "x"))), "note x"),
                refused(TASK, message -> message.setFields(List.of(new CspField("REQ", "x"))), "REQ x"),
                refused(TASK, message -> message.setFields(List.of(new CspField("RESULT", "x"))), "RESULT x"),
                refused(TASK, message -> message.setKeyOrder(List.of("REQ")), "would decode"),
                refused(TASK, message -> message.setKeyOrder(List.of("REQ", "REQ")), "REQ"),
                refused(TASK, message -> message.setHeaderFields(List.of(new CspField("via", "x"))), "via x"),
                refused(TASK, message -> message.setHeaderFields(List.of(new CspField("TASK", "x"))), "TASK"),
                refused(RESULT, message -> message.setStatus("ok"), "STATUS"),
                refused(RESULT, message -> message.setData("x\n"), "data"),
                refused(RESULT, message -> message.setData("x\ty"), "data"),
                refused(RESULT, message -> message.setData("x\r\ny"), "data"),
                refused(RESULT, message -> message.setKeyOrder(List.of("DATA", "STATUS", "PRODUCED")), "STATUS"),
                refused(PATCH, message -> message.setTarget("C 1"), "target"),
                refused(PATCH, message -> message.setTarget("C\t1"), "target"),
                refused(PATCH, message -> message.setTarget("C".repeat(300) + "\t"), "target"),
                refused(PATCH, message -> message.setBase(""), "base"),
                refused(PATCH, message -> message.setFields(List.of(new CspField("DEF", "A = b"))), "DEF A = b"),
                refused(PATCH, message -> message.getOperations().get(0).setName("="), "DEF ="),
                refused(PATCH, message -> message.getOperations().get(0).setName("A B"), "operations"),
                refused(PATCH, message -> message.getOperations().get(0).setValue("a\nb"), "operations"),
                refused(PATCH, message -> message.getOperations().get(0).setValue(null), "+ DEF"),
                refused(PATCH, message -> message.getOperations().get(2).setValue("a"), "- DEF"),
                refused(FILE, message -> message.setContent("a\n>>>\nb"), "content"),
                refused(FILE, message -> message.setContent(">>>\r"), "content"),
                refused(FILE, message -> message.setContentHeredoc(false), "content"),
                refused(FILE, message -> message.setContent(null), "CONTENT"));
    }

    private static Arguments refused(String wire, Consumer<CspMessage> change, String field) {
        return arguments(wire, change, field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"A|A", "A, B,C|A;B;C", ",A|A", "A, ,B ,|A;B", "A B|A B", "A,|A"})
    void theRecipientsAreTheNamesBetweenCommas(String list, String names) {
        CspMessage message = decoded(TASK.replace("TO CODE_EXP", "TO " + list));
        assertThat(codec.traits(message).recipients()).isEqualTo(List.of(names.split(";", -1)));
    }

    @Test
    void onlyAMessageInPrintableAsciiIsPlain() {
        for (String plain : List.of(TASK, RESULT + "\nmore", FILE, PATCH + "\n")) {
            assertThat(((Decoded<?>) codec.decode(plain.getBytes(UTF_8), DecodeOptions.LENIENT)).plain())
                    .as(plain)
                    .isTrue();
        }
        for (String other : List.of(TASK + "é", RESULT + "\n\u0001", FILE.replace("@@", "\u0001"))) {
            assertThat(((Decoded<?>) codec.decode(other.getBytes(UTF_8), DecodeOptions.LENIENT)).plain())
                    .as(other)
                    .isFalse();
        }
    }

    @Test
    void anErrorWithoutATaskRespondsToNothing() {
        CspMessage message = decoded(head("ERROR") + "ERROR E1\nAT\nCAUSE x");
        assertThat(codec.traits(message).replyTo()).isNull();
        assertThat(codec.traits(message).references())
                .containsExactly(new Reference("state", "C0"), new Reference("error", "E1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SRC = src/|SRC",
                "SRC := src/|SRC",
                "SRC=src/ = x|SRC=src/",
                "A B = c|A",
                "SRC =|SRC",
                "SRC :=|SRC",
                "A=B = c|A=B",
                "SRC|SRC",
                "SRC src/|SRC",
                "A = b := c|A",
                "'A\n= b'|A",
                "''|''"
            })
    void aDefLineDefinesAName(String value, String name) {
        assertThat(CspCodec.definedName(value)).isEqualTo(name);
    }

    @Test
    void aRepeatedNameIsFoundAmongTenThousandInLinearTime() {
        StringBuilder wire = new StringBuilder(head("PATCH")).append("PATCH P1\nBASE C0\n");
        for (int i = 0; i < 9_999; i++) {
            wire.append("+ DEF N").append(i).append(" = v\n");
        }
        assertThat(violations(wire + "- DEF N9999\nAPPLY -> C1")).isEmpty();
        assertThat(violations(wire + "- DEF N9998\nAPPLY -> C1")).containsExactly(Code.CSP_PATCH_NAME_TWICE);
    }

    @Test
    void aLineAfterAnOperationContinuesNoKey() {
        String before = head("PATCH") + "PATCH P1\nBASE C0\nNOTE x\n+ DEF A = 1\n";
        DecodeResult.Malformed<CspMessage> fault = (DecodeResult.Malformed<CspMessage>)
                codec.decode((before + "more\nAPPLY -> C1").getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(fault.code()).isEqualTo(Code.CSP_PATCH_LINE);
        assertThat(fault.offset()).isEqualTo(before.length());
    }

    @Test
    void theKeysOfTheHeaderAreLimited() {
        DecodeOptions few = new DecodeOptions(Profile.LENIENT, new Limits(1 << 20, 10, 6, 10));
        String header = "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT QUERY\nV1 a\nV2 b\n";
        assertThat(codec.decode((header + "\nQUERY Q1").getBytes(UTF_8), few)).isInstanceOf(Decoded.class);
        DecodeResult.Malformed<CspMessage> fault = (DecodeResult.Malformed<CspMessage>)
                codec.decode((header + "V3 c\nV4 d\n\nQUERY Q1").getBytes(UTF_8), few);
        assertThat(fault.code()).isEqualTo(Code.TOO_MANY_FIELDS);
        assertThat(fault.offset()).isEqualTo(header.length());
    }

    @Test
    void aLimitHidesNoKeyBehindIt() {
        String read = "CSP/1\nFROM A\nTO B\nINTENT TASK\n\nTASK T1\nREQ x\n  IN the end\n";
        DecodeOptions few = new DecodeOptions(Profile.LENIENT, new Limits(1 << 20, 10, 4, 10));
        DecodeResult.Malformed<CspMessage> fault = (DecodeResult.Malformed<CspMessage>)
                codec.decode((read + "IN y\nOUT z\nOWNER B\nPRIORITY P1").getBytes(UTF_8), few);
        assertThat(fault.code()).isEqualTo(Code.TOO_MANY_FIELDS);
        assertThat(fault.offset()).isEqualTo(read.length());
    }

    private List<Code> violations(String wire) {
        return ((Decoded<CspMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT)).violations();
    }

    private CspMessage decoded(String wire) {
        DecodeResult<CspMessage> result = codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(result).isInstanceOf(Decoded.class);
        return ((Decoded<CspMessage>) result).message();
    }

    private String encoded(CspMessage message) {
        return new String(codec.encode(message), UTF_8);
    }
}
