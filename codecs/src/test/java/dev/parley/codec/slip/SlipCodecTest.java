package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.Performative;
import dev.parley.avro.Reference;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.MarkedWire;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import dev.parley.codec.WireCodecContract;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlipCodecTest extends WireCodecContract<SlipMessage> {
    private static final String HEADERS = "@a3|f0|c3|S0|d1|T1";
    private static final List<String> SPECIFIED = List.of(
            "@a3|f0|c3|S0|d1|T1|gH|kg|q2|t\"refactor_auth\"#",
            "@a3|f0|c1|S0|d1|T1|g1|k1|q2|t\"refactor_auth\"#",
            "@a3|f0|c1|S0|d1|T1|g1|k1|q2|t\"implement_auth\"#",
            "@a4|f1|c1|S1|d0|T2|g1|k1|q2|t\"plan_v1\"#",
            "@a1|f2|c1|S2|d0|T3|g1|k1|r1|u\"done\"|t\"exec_status\"#",
            "@a8|f3|c1|S3|d0|T4|g1|k1|s8|t\"ok\"#",
            "@a3|f0|c1|S0|d1|T1|g1|k1|t\"my_task\"#");

    @Override
    protected WireCodec<SlipMessage> codec() {
        return new SlipCodec();
    }

    @Override
    protected List<String> canonicalWires() {
        List<String> wires = new ArrayList<>(SPECIFIED);
        wires.addAll(List.of(
                HEADERS + "#",
                "@aA|f4|cAzL8n0Y58m7|S0|d1|T0#",
                "@a9|f2|c3|S0|d1|T1|e10|t\"\"|u\"a|b#@\"|p2|sA|kz|g0|rZ|q3#",
                HEADERS + "|t\"a\\\\\\\"b\\\\\"#",
                HEADERS + "|u\"Grüße, 日本 😀\n\"#",
                HEADERS + "|x\"a|b#\"|k1|!|é\"|\"|x2|zab#",
                HEADERS + "|q9|sB#"));
        return wires;
    }

    @Override
    protected List<String> nonCanonicalWires() {
        return List.of(
                "\uFEFF" + HEADERS + "#",
                " \t\r\n" + HEADERS + "#\r\n",
                "@f0|a3|c3|S0|d1|T1#",
                "@k1|a3|f0|x1|c3|S0|t\"a\"|d1|T1#",
                "@a03|f000|c3|S0|d1|T01|g007#",
                "@a3||f0|c3|S0|d1|T1|#",
                "@|a3|f0|c3|S0|d1|T1|||k1||#");
    }

    @Override
    protected String wireWithFields(int fields) {
        return HEADERS + "|x1".repeat(fields) + "#";
    }

    @Test
    void everyFieldStandsWhereItBelongs() {
        SlipMessage message = decoded("@aA|f4|c10|SA|dz|TH|g1|k2|p3|r4|q1|s5|u\"a|b\"|e6|t\"\\\"\\\\\"#")
                .message();
        assertThat(message)
                .isEqualTo(new SlipMessage(
                        SlipAct.META,
                        SlipFrame.CONTROL,
                        62L,
                        10L,
                        61L,
                        17L,
                        1L,
                        2L,
                        3L,
                        4L,
                        1L,
                        5L,
                        6L,
                        "a|b",
                        "\"\\",
                        "gkprqsuet",
                        List.of()));
    }

    @Test
    void fieldsThatAreUnknownKeepTheirPlace() {
        SlipMessage message = decoded(HEADERS + "|x1|k2|y\"a|b\"|t\"c\"#").message();
        assertThat(message.getSlotOrder()).isEqualTo("?k?t");
        assertThat(message.getUnknownFields()).containsExactly("x1", "y\"a|b\"");
    }

    @ParameterizedTest
    @CsvSource({
        "0, OBSERVE",
        "1, INFORM",
        "2, ASK",
        "3, REQUEST",
        "4, PROPOSE",
        "5, COMMIT",
        "6, ACCEPT",
        "7, REJECT",
        "8, EVAL",
        "9, ERROR",
        "A, META"
    })
    void theActsAreBase62(String digit, SlipAct act) {
        assertThat(decoded("@a" + digit + "|f0|c3|S0|d1|T1#").message().getAct())
                .isEqualTo(act);
    }

    @ParameterizedTest
    @CsvSource({"0, TASK", "1, PLAN", "2, OBSERVATION", "3, EVALUATION", "4, CONTROL"})
    void theFrameTypesAreNumbered(String digit, SlipFrame frame) {
        assertThat(decoded("@a3|f" + digit + "|c3|S0|d1|T1#").message().getFrame())
                .isEqualTo(frame);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "A, 10",
        "H, 17",
        "Z, 35",
        "a, 36",
        "g, 42",
        "z, 61",
        "10, 62",
        "11, 63",
        "zz, 3843",
        "AzL8n0Y58m7, 9223372036854775807",
        "000AzL8n0Y58m7, 9223372036854775807"
    })
    void numbersAreBase62(String digits, long number) {
        assertThat(decoded("@a3|f0|c" + digits + "|S0|d1|T1#").message().getConversation())
                .isEqualTo(number);
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                arguments("^", Code.SLIP_NO_START),
                arguments("  ^", Code.SLIP_NO_START),
                arguments(" ^hello", Code.SLIP_NO_START),
                arguments("^a3|f0|c3|S0|d1|T1#", Code.SLIP_NO_START),
                arguments(" ^\uFEFF" + HEADERS + "#", Code.SLIP_NO_START),
                // S1 to S4: strings and the end of the message
                arguments(HEADERS + "^", Code.SLIP_UNTERMINATED),
                arguments(HEADERS + "\n^", Code.SLIP_UNTERMINATED),
                arguments("@^", Code.SLIP_UNTERMINATED),
                arguments(HEADERS + "|t\"a#\"^", Code.SLIP_UNTERMINATED),
                arguments(HEADERS + "# ^x", Code.SLIP_TRAILING_DATA),
                arguments(HEADERS + "#^#", Code.SLIP_TRAILING_DATA),
                arguments(HEADERS + "#\n^" + HEADERS + "#", Code.SLIP_TRAILING_DATA),
                arguments(HEADERS + "|t^\"#", Code.SLIP_BAD_STRING),
                arguments(HEADERS + "|t^\"a|k1#", Code.SLIP_BAD_STRING),
                arguments(HEADERS + "|t^\"a\\\"#", Code.SLIP_BAD_STRING),
                arguments(HEADERS + "|t^\"a\\", Code.SLIP_BAD_STRING),
                arguments(HEADERS + "|t\"a\\\\^\"b\"#", Code.SLIP_BAD_STRING),
                arguments(HEADERS + "|t\"a^\"b\"#", Code.SLIP_BAD_STRING),
                arguments(HEADERS + "|t\"^\\n\"#", Code.SLIP_BAD_STRING),
                arguments(HEADERS + "|x\"^\\n\"#", Code.SLIP_BAD_STRING),
                arguments(HEADERS + "|^\"a\"#", Code.SLIP_BAD_STRING),
                // S5: the legacy dialect comes before types and duplicates
                arguments("@a3|f0|c3|s0|d1|t1#^", Code.SLIP_MISSING_HEADER),
                arguments("@a3|f0|c3|s0|d1|t1|g1|k1|q2|t\"a\"#^", Code.SLIP_MISSING_HEADER),
                // S6, S15: acts and frames
                arguments("@^a10|f0|c3|S0|d1|T1#", Code.SLIP_UNKNOWN_ACT),
                arguments("@^aB|f0|c3|S0|d1|T1#", Code.SLIP_UNKNOWN_ACT),
                arguments("@a3|^f5|c3|S0|d1|T1#", Code.SLIP_UNKNOWN_FRAME),
                // S7: types
                arguments(HEADERS + "|^g\"x\"#", Code.SLIP_SLOT_TYPE),
                arguments(HEADERS + "|^t2#", Code.SLIP_SLOT_TYPE),
                arguments(HEADERS + "|^udone#", Code.SLIP_SLOT_TYPE),
                arguments(HEADERS + "|^e\"1\"#", Code.SLIP_SLOT_TYPE),
                arguments("@^a\"3\"|f0|c3|S0|d1|T1#", Code.SLIP_BAD_INT),
                arguments(HEADERS + "|^g-1#", Code.SLIP_BAD_INT),
                arguments(HEADERS + "|^k1.5#", Code.SLIP_BAD_INT),
                arguments(HEADERS + "|^k1\"2\"#", Code.SLIP_BAD_INT),
                arguments(HEADERS + "|u\"ü\"|^ké#", Code.SLIP_BAD_INT),
                arguments("@a3|f0|^c3@|S0|d1|T1#", Code.SLIP_BAD_INT),
                // S9: empty values
                arguments("@^a|f0|c3|S0|d1|T1#", Code.SLIP_EMPTY_VALUE),
                arguments(HEADERS + "|^g#", Code.SLIP_EMPTY_VALUE),
                arguments(HEADERS + "|^t|k1#", Code.SLIP_EMPTY_VALUE),
                // S10: duplicates
                arguments("@a3|^a4|f0|c3|S0|d1|T1#", Code.SLIP_DUPLICATE_FIELD),
                arguments(HEADERS + "|k1|g1|^k1#", Code.SLIP_DUPLICATE_FIELD),
                // S14: white space
                arguments("@a3|^ f0|c3|S0|d1|T1#", Code.SLIP_WHITESPACE),
                arguments("@a3|f0^\n|c3|S0|d1|T1#", Code.SLIP_WHITESPACE),
                arguments("@^ a3|f0|c3|S0|d1|T1#", Code.SLIP_WHITESPACE),
                arguments("@a3|f0|c3|S0|d1|T1^ #", Code.SLIP_WHITESPACE),
                arguments(HEADERS + "|t\"a\"^\t|k1#", Code.SLIP_WHITESPACE),
                // S16: overflow
                arguments("@a3|f0|^cAzL8n0Y58m8|S0|d1|T1#", Code.SLIP_INT_OVERFLOW),
                arguments(HEADERS + "|^kzzzzzzzzzzzzzzzz#", Code.SLIP_INT_OVERFLOW),
                arguments(HEADERS + "|^kzzzzzzzzzzzzzzzz!#", Code.SLIP_BAD_INT),
                // What is missing
                arguments("@#^", Code.SLIP_MISSING_HEADER),
                arguments("@f0|c3|S0|d1|T1#^", Code.SLIP_MISSING_HEADER),
                arguments("@a3|c3|S0|d1|T1#^", Code.SLIP_MISSING_HEADER),
                arguments("@a3|f0|S0|d1|T1#^", Code.SLIP_MISSING_HEADER),
                arguments("@a3|f0|c3|d1|T1#^", Code.SLIP_MISSING_HEADER),
                arguments("@a3|f0|c3|S0|T1#^", Code.SLIP_MISSING_HEADER),
                arguments("@a3|f0|c3|S0|d1#\n^", Code.SLIP_MISSING_HEADER),
                // S23: the other SLIP
                arguments("^SLIP v1 REQUEST", Code.SLIP_VERSION),
                arguments("\n^SLIP v3", Code.SLIP_VERSION),
                arguments("^SLIP", Code.SLIP_NO_START),
                // The order of faults
                arguments("@a3|a4|^ f9#", Code.SLIP_WHITESPACE),
                arguments("@aZ|f9|^a4|g\"x\"#", Code.SLIP_DUPLICATE_FIELD),
                arguments("@a3|^f9|g\"x\"#", Code.SLIP_UNKNOWN_FRAME),
                arguments("@a3|^gx!|f9#", Code.SLIP_BAD_INT),
                arguments("@a3|f0|t\"^\\n\"|k 1#", Code.SLIP_BAD_STRING));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultHasItsCodeAndPlaceInBothProfiles(String marked, Code code) {
        MarkedWire wire = MarkedWire.of(marked);
        for (DecodeOptions options : List.of(DecodeOptions.LENIENT, DecodeOptions.STRICT)) {
            // Under strict a departure from form may come first.
            if (options.strict() && marked.equals("@a3|^gx!|f9#")) {
                continue;
            }
            Malformed<SlipMessage> fault = malformed(wire.text(), options);
            assertThat(fault.code()).isEqualTo(code);
            assertThat(fault.offset()).isEqualTo(wire.offset());
        }
    }

    static Stream<Arguments> departures() {
        String longest = "x".repeat(256);
        return Stream.of(
                arguments("^\uFEFF" + HEADERS + "#", Code.BYTE_ORDER_MARK),
                arguments("@f0|^a3|c3|S0|d1|T1#", Code.SLIP_FIELD_ORDER),
                arguments("@k1|^a3|f0|c3|S0|d1|T1#", Code.SLIP_FIELD_ORDER),
                arguments("@a3|f0|c3|S0|d1|k1|^T1#", Code.SLIP_FIELD_ORDER),
                arguments("@a3|f0|c3|S0|T1|^d1#", Code.SLIP_FIELD_ORDER),
                arguments("@a3|^|f0|c3|S0|d1|T1#", Code.SLIP_EMPTY_TOKEN),
                arguments("@^|a3|f0|c3|S0|d1|T1#", Code.SLIP_EMPTY_TOKEN),
                arguments(HEADERS + "|^#", Code.SLIP_EMPTY_TOKEN),
                arguments(HEADERS + "|^|#", Code.SLIP_EMPTY_TOKEN),
                arguments(HEADERS + "|^x1#", Code.SLIP_UNKNOWN_PREFIX),
                arguments(HEADERS + "|t\"é\"|^é1#", Code.SLIP_UNKNOWN_PREFIX),
                arguments(HEADERS + "|^G1#", Code.SLIP_UNKNOWN_PREFIX),
                arguments("@^a03|f0|c3|S0|d1|T1#", Code.SLIP_NONCANONICAL_INT),
                arguments(HEADERS + "|^g00#", Code.SLIP_NONCANONICAL_INT),
                arguments(HEADERS + "|^q0#", Code.SLIP_RANGE),
                arguments(HEADERS + "|^q4#", Code.SLIP_RANGE),
                arguments(HEADERS + "|^sB#", Code.SLIP_RANGE),
                arguments(HEADERS + "|t\"" + longest + "\"|^u\"" + longest + "x\"#", Code.SLIP_LONG_STRING),
                arguments(
                        HEADERS + "|t\"\\\\" + longest.substring(1) + "\"|^u\"é" + longest.substring(1) + "\"#",
                        Code.SLIP_LONG_STRING));
    }

    @ParameterizedTest
    @MethodSource("departures")
    void aDepartureFromFormWarnsInLenientAndFailsInStrict(String marked, Code code) {
        MarkedWire wire = MarkedWire.of(marked);
        assertThat(decoded(wire.text()).warnings()).containsExactly(code);
        Malformed<SlipMessage> fault = malformed(wire.text(), DecodeOptions.STRICT);
        assertThat(fault.code()).isEqualTo(code);
        assertThat(fault.offset()).isEqualTo(wire.offset());
    }

    @Test
    void severalDeparturesAreNotedOnceEachInTheOrderTheyWereFound() {
        assertThat(decoded("\uFEFF@f0|a3||c3|S0|d1|T01|q9|s9||x1|y1#").warnings())
                .containsExactly(
                        Code.BYTE_ORDER_MARK,
                        Code.SLIP_EMPTY_TOKEN,
                        Code.SLIP_FIELD_ORDER,
                        Code.SLIP_NONCANONICAL_INT,
                        Code.SLIP_RANGE,
                        Code.SLIP_UNKNOWN_PREFIX);
    }

    static List<String> specified() {
        return SPECIFIED;
    }

    @ParameterizedTest
    @MethodSource("specified")
    void theExamplesOfTheSpecificationHaveNoWarning(String wire) {
        DecodeResult<SlipMessage> result = codec().decode(wire.getBytes(UTF_8), DecodeOptions.STRICT);
        assertThat(result).isInstanceOf(Decoded.class);
        assertThat(((Decoded<SlipMessage>) result).warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"q1", "q2", "q3", "s0", "sA", "t\"\"", "p1|k1", "k1|g1|q2"})
    void theseSlotsHaveNoWarning(String slots) {
        assertThat(decoded(HEADERS + "|" + slots + "#").warnings()).isEmpty();
    }

    @Test
    void whatTheJudgeKnowsBetterIsNotTheDecodersBusiness() {
        assertThat(decoded("@a3|f4|c3|S1|d1|T1|k1|p1#").warnings()).isEmpty();
    }

    @Test
    void theLegacyDialectIsNamedInTheDetail() {
        assertThat(malformed("@a3|f0|c3|s0|d1|t1|g1#", DecodeOptions.LENIENT).detail())
                .contains("legacy_dialect=true");
        assertThat(malformed("@a3|f0|c3|S0|d1|t1#", DecodeOptions.LENIENT).code())
                .isEqualTo(Code.SLIP_SLOT_TYPE);
        assertThat(malformed("@a3|f0|c3|S0|d1|s1|t\"1\"#", DecodeOptions.LENIENT)
                        .detail())
                .isEqualTo("Missing header: T.");
    }

    @Test
    void aDecimalActIsHintedAt() {
        assertThat(malformed("@a10|f0|c3|S0|d1|T1#", DecodeOptions.LENIENT).detail())
                .contains("META")
                .contains("decimal");
        assertThat(malformed("@aB|f0|c3|S0|d1|T1#", DecodeOptions.LENIENT).detail())
                .doesNotContain("decimal");
        assertThat(malformed("@a11|f0|c3|S0|d1|T1#", DecodeOptions.LENIENT).detail())
                .doesNotContain("decimal");
    }

    @Test
    void bytesThatAreNotUtf8CountAmongLexicalFaultsFromTheLeft() {
        byte[] wire = (HEADERS + "|t\"a?b\"#").getBytes(UTF_8);
        int at = wire.length - 4;
        wire[at] = (byte) 0xFF;
        assertFault(wire, Code.SLIP_BAD_UTF8, at);
        wire[3] = ' ';
        assertFault(wire, Code.SLIP_WHITESPACE, 3);
    }

    @Test
    void theFieldLimitCountsSlotsAndPointsAtTheFirstTooMany() {
        Malformed<SlipMessage> fault = malformed(wireWithFields(1_001), DecodeOptions.LENIENT);
        assertThat(fault.offset()).isEqualTo(wireWithFields(1_000).length());
        assertThat(decoded(HEADERS + "|".repeat(5_000) + "#").warnings()).containsExactly(Code.SLIP_EMPTY_TOKEN);
    }

    @ParameterizedTest
    @CsvSource({
        "a0, ASSERT",
        "a1, ASSERT",
        "a2, ASK",
        "a3, REQUEST",
        "a4, PROPOSE",
        "a5, COMMIT",
        "a6, ACCEPT",
        "a7, REJECT",
        "a8, EVALUATE",
        "a9, FAILURE",
        "aA, CONTROL"
    })
    void everyActHasItsPerformative(String act, Performative performative) {
        assertThat(traits("@" + act + "|f0|c3|S0|d1|T1|k1#").performative()).isEqualTo(performative);
    }

    @Test
    void anInformWithAResultIsAResult() {
        assertThat(traits("@a1|f2|c3|S0|d1|T1|r1#").performative()).isEqualTo(Performative.RESULT);
        assertThat(traits("@a0|f2|c3|S0|d1|T1|r1#").performative()).isEqualTo(Performative.ASSERT);
    }

    @Test
    void traitsAreInDecimal() {
        Traits traits = traits("@a3|f0|c10|SA|dz|T1|r13|gH|pB|kg#");
        assertThat(traits)
                .isEqualTo(new Traits(
                        "62",
                        "10",
                        null,
                        List.of("61"),
                        Performative.REQUEST,
                        null,
                        List.of(
                                new Reference("goal", "17"),
                                new Reference("task", "42"),
                                new Reference("parent-task", "11"),
                                new Reference("result", "65"))));
    }

    static Stream<Arguments> unsayable() {
        return Stream.of(
                unsayable("act", message -> message.setAct(SlipAct.UNKNOWN)),
                unsayable("frame", message -> message.setFrame(SlipFrame.UNKNOWN)),
                unsayable("TURN", message -> message.setTurn(-1)),
                unsayable("GOAL_ID", message -> message.setGoalId(-1L)),
                unsayable("TAG", message -> message.setTag("\ud800")),
                unsayable("slotOrder", message -> message.setSlotOrder("g")),
                unsayable("slotOrder", message -> message.setSlotOrder("gtk")),
                unsayable("slotOrder", message -> message.setSlotOrder("gtg")),
                unsayable("slotOrder", message -> message.setSlotOrder("gta")),
                unsayable("slotOrder", message -> message.setSlotOrder("gt?")),
                unsayable("slotOrder", message -> message.setUnknownFields(List.of("x1"))),
                unsayableField(""),
                unsayableField("k1"),
                unsayableField("x1|"),
                unsayableField("x1|y1"),
                unsayableField("x#"),
                unsayableField("x 1"),
                unsayableField("x\"a"),
                unsayableField("x\udc00"));
    }

    private static Arguments unsayableField(String field) {
        return unsayable("unknownFields", message -> {
            message.setSlotOrder("gt?");
            message.setUnknownFields(List.of(field));
        });
    }

    private static Arguments unsayable(String field, Consumer<SlipMessage> change) {
        return arguments(field, change);
    }

    @ParameterizedTest
    @MethodSource("unsayable")
    void whatTheWireCannotSayIsRefusedByName(String field, Consumer<SlipMessage> change) {
        SlipMessage message = decoded(HEADERS + "|g1|t\"a\"#").message();
        change.accept(message);
        assertThatThrownBy(() -> codec().encode(message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field);
    }

    @Test
    void anyShortStringOfBackslashesAndQuotesComesBack() {
        IntStream.range(0, 59_049).mapToObj(SlipCodecTest::smallString).forEach(text -> {
            SlipMessage message = decoded(HEADERS + "|t\"\"#").message();
            message.setTag(text);
            assertThat(decoded(new String(codec().encode(message), UTF_8))
                            .message()
                            .getTag())
                    .isEqualTo(text);
        });
    }

    private static String smallString(int number) {
        StringBuilder text = new StringBuilder();
        for (int rest = number; rest > 0; rest /= 3) {
            text.append("\\\"a".charAt(rest % 3));
        }
        return text.toString();
    }

    private Traits traits(String wire) {
        return codec().traits(decoded(wire).message());
    }

    private void assertFault(byte[] wire, Code code, int offset) {
        DecodeResult<SlipMessage> result = codec().decode(wire, DecodeOptions.LENIENT);
        assertThat(result).isInstanceOfSatisfying(Malformed.class, fault -> {
            assertThat(fault.code()).isEqualTo(code);
            assertThat(fault.offset()).isEqualTo(offset);
        });
    }
}
