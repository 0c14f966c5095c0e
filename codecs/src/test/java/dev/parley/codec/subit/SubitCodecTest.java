package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.MarkedWire;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import dev.parley.codec.WireCodecContract;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubitCodecTest extends WireCodecContract<SubitMessage> {
    private static final String STATE = "{\"type\":\"STATE\",\"payload\":\"000110\"";

    @Override
    protected WireCodec<SubitMessage> codec() {
        return new SubitCodec();
    }

    @Override
    protected List<String> canonicalWires() {
        return List.of(
                packet("STATE", "000110"),
                packet("INTENT", "000110110001"),
                packet("INTENT", "011011000100"),
                packet("ACTION", "011011110001"),
                packet("PLAN", "000110110001011011"),
                packet("TRACE", "000110110001"),
                packet("ERROR", "111111"),
                packet("ERROR", "111111000000"),
                packet("INTENT", "000110".repeat(9)),
                STATE + ",\"meta\":{}}",
                STATE + ",\"meta\":{\"agent\":\"A1\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"session\":\"s-1\"}}",
                STATE + ",\"meta\":{\"session\":\"s\"}}",
                STATE
                        + ",\"meta\":{\"agent\":1,\"timestamp\":null,\"session\":[1,{\"a\":\"\\\"\"}],\"z\":\"\",\"a\":1.50e+3}}",
                STATE + ",\"meta\":{\"note\":\"Grüße, 日本 😀 \\\\ \\\" / \\n\\u0001\\u001f\u007f\"}}",
                STATE + ",\"z\":\"1\",\"a\":{\"b\":[],\"c\":{},\"d\":[true,false,null,-0,0.5]},\"\":\"\"}",
                STATE + ",\"meta\":{\"agent\":\"null\",\"timestamp\":\"yesterday\",\"session\":\"\"},\"x\":0}");
    }

    @Override
    protected List<String> nonCanonicalWires() {
        return List.of(
                "\uFEFF" + STATE + "}",
                " \t\r\n{ \"type\" : \"STATE\" ,\n\"payload\" : \"000110\" }\n",
                "{\"payload\":\"000110\",\"type\":\"STATE\"}",
                "{\"meta\":{\"session\":\"s\",\"x\":\"1\",\"agent\":\"A\"},\"payload\":\"000110\",\"y\":1,\"type\":\"STATE\"}",
                STATE + ",\"meta\":null}",
                "{\"x\":\"1\",\"type\":\"STATE\",\"payload\":\"000110\"}",
                "{\"type\":\"PLAN\",\"payload\":\"000110 110001 011011\"}",
                "{\"t\\u0079pe\":\"ST\\u0041TE\",\"payload\":\"00011\\u0030\"}",
                STATE
                        + ",\"meta\":{\"agent\":\"\\/\\u00e9\\ud83d\\ude00\\u000A\",\"session\": [ 1 , \"\\u0041\" , { \"k\\/\" : null } ]}}");
    }

    @Override
    protected String wireWithFields(int fields) {
        StringBuilder wire = new StringBuilder(STATE);
        for (int i = 2; i < fields; i++) {
            wire.append(",\"k").append(i).append("\":\"\"");
        }
        return wire.append('}').toString();
    }

    @Override
    protected Optional<String> wireNested(int depth) {
        return Optional.of(STATE + ",\"x\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}");
    }

    @Test
    void theExampleOfTheSpecificationIsRead() {
        SubitMessage message = decoded("""
                        {
                          "type": "INTENT",
                          "payload": "000110110001",
                          "meta": {
                              "agent": "A",
                              "timestamp": "2026-01-01T12:00:00Z",
                              "session": "s1"
                          }
                        }
                        """).message();
        assertThat(message)
                .isEqualTo(new SubitMessage(
                        SubitType.INTENT,
                        List.of(6, 49),
                        true,
                        "A",
                        "2026-01-01T12:00:00Z",
                        "s1",
                        List.of(),
                        List.of(),
                        List.of()));
    }

    @Test
    void whatIsNoStringIsKeptAsJsonText() {
        Decoded<SubitMessage> read = decoded(
                STATE
                        + ",\"meta\":{\"session\":5,\"x\":{ \"a\" : [1, 2] },\"agent\":null,\"y\":\"s\"},\"z\":1e5,\"w\":\"t\"}");
        assertThat(read.message().getJsonMeta()).containsExactly("agent", "session");
        assertThat(read.message().getAgent()).isEqualTo("null");
        assertThat(read.message().getSession()).isEqualTo("5");
        assertThat(read.message().getMeta())
                .containsExactly(new SubitEntry("x", "{\"a\":[1,2]}", true), new SubitEntry("y", "s", false));
        assertThat(read.message().getExtras())
                .containsExactly(new SubitEntry("z", "1e5", true), new SubitEntry("w", "t", false));
        assertThat(read.warnings()).containsExactly(Code.SUBIT_META_VALUE, Code.SUBIT_EXTRA_KEY);
    }

    @ParameterizedTest
    @CsvSource({
        "STATE, 1, true", "STATE, 2, false", "INTENT, 1, false", "INTENT, 2, true", "INTENT, 8, true",
                "ACTION, 1, false",
        "ACTION, 2, true", "ACTION, 3, false", "PLAN, 1, false", "PLAN, 2, false", "PLAN, 3, true", "PLAN, 20, true",
        "TRACE, 1, false", "TRACE, 2, true", "TRACE, 20, true", "ERROR, 1, true", "ERROR, 2, true", "ERROR, 3, false"
    })
    void everyTypeHasItsLengths(String type, int forms, boolean legal) {
        DecodeResult<SubitMessage> result =
                codec().decode(packet(type, "000110".repeat(forms)).getBytes(UTF_8), DecodeOptions.STRICT);
        assertThat(result).isInstanceOf(legal ? Decoded.class : Malformed.class);
    }

    @Test
    void formsAreReadMostSignificantBitFirst() {
        assertThat(decoded(packet("PLAN", "000000000001100000111111")).message().getForms())
                .containsExactly(0, 1, 32, 63);
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                // U13: forms for presentation are no packets
                arguments("^STATE:\n000110", Code.SUBIT_NOT_JSON),
                arguments("^STATE: 000110", Code.SUBIT_NOT_JSON),
                arguments("^INTENT: 000110110001", Code.SUBIT_NOT_JSON),
                arguments("^000110 110001 011011", Code.SUBIT_NOT_JSON),
                arguments("^ERROR:\n111111", Code.SUBIT_NOT_JSON),
                // No JSON object
                arguments("^", Code.SUBIT_NOT_JSON),
                arguments(" \n^", Code.SUBIT_NOT_JSON),
                arguments(" ^[]", Code.SUBIT_NOT_JSON),
                arguments("^1", Code.SUBIT_NOT_JSON),
                arguments("^\"x\"", Code.SUBIT_NOT_JSON),
                arguments("^null", Code.SUBIT_NOT_JSON),
                arguments("{^", Code.SUBIT_NOT_JSON),
                arguments("{^type:1}", Code.SUBIT_NOT_JSON),
                arguments("{^'type':1}", Code.SUBIT_NOT_JSON),
                arguments("{\"type\"^", Code.SUBIT_NOT_JSON),
                arguments("{\"type\" ^\"STATE\"}", Code.SUBIT_NOT_JSON),
                arguments("{\"type\":^", Code.SUBIT_NOT_JSON),
                arguments("{\"type\":^}", Code.SUBIT_NOT_JSON),
                arguments("{\"type\":^\"STATE", Code.SUBIT_NOT_JSON),
                arguments("{\"type\":^\"STATE\\", Code.SUBIT_NOT_JSON),
                arguments("{^\"type", Code.SUBIT_NOT_JSON),
                arguments(STATE + "^", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",^}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",^,\"x\":1}", Code.SUBIT_NOT_JSON),
                arguments(STATE + " ^\"x\":1}", Code.SUBIT_NOT_JSON),
                arguments(STATE + "^]", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":[1,^]}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":[1^}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":{\"a\":1,^}}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":^01}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":^1.}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":^.5}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":^1e}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":^-}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":^+1}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":^1-2}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":^NaN}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":^True}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":^tru", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"é\":\"日^\\x\"}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":\"^\\u12g4\"}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":\"a^\nb\"}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":\"^\\ud83d\"}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":\"^\\ud83d\\u0041\"}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",\"x\":\"^\\ude00\\ud83d\"}", Code.SUBIT_NOT_JSON),
                arguments(STATE + ",^// comment\n\"x\":1}", Code.SUBIT_NOT_JSON),
                arguments("{\"type\":\"STATE\",\"payload\":\"000110\",\"x\":^000110}", Code.SUBIT_NOT_JSON),
                arguments("{\"type\":\"STATE\",\"payload\":^00011O}", Code.SUBIT_NOT_JSON),
                arguments("{\"type\":\"STATE\",\"payload\":000110 ^110001}", Code.SUBIT_NOT_JSON),
                // What follows
                arguments(STATE + "} ^{}", Code.SUBIT_TRAILING_DATA),
                arguments(STATE + "}\n^x", Code.SUBIT_TRAILING_DATA),
                // Duplicate keys, at any level and however written
                arguments("{\"type\":\"STATE\",^\"type\":\"STATE\",\"payload\":\"000110\"}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ", ^\"payload\":\"000110\"}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ",^\"p\\u0061yload\":\"000110\"}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ",\"meta\":null,^\"meta\":{}}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ",\"x\":1,\"y\":1,^\"x\":2}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ",\"meta\":{\"agent\":\"a\",^\"agent\":\"a\"}}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ",\"meta\":{\"n\":\"a\",^\"n\":\"a\"}}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ",\"meta\":{\"n\":{\"a\":[{\"b\":1,^\"b\":2}]}}}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ",\"x\":{\"a\":1,^\"\\u0061\":2}}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ",\"x\":{" + keys(40) + ",^\"k7\":0}}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ",\"meta\":{" + keys(40) + ",\"\\u006b\":0,^\"k\":0}}", Code.SUBIT_DUPLICATE_KEY),
                // The first of several, though the inner object ends earlier
                arguments(STATE + ",\"x\":1,^\"x\":{\"a\":1,\"a\":2}}", Code.SUBIT_DUPLICATE_KEY),
                arguments(STATE + ",\"meta\":{\"n\":1,^\"n\":{\"a\":1,\"a\":2}}}", Code.SUBIT_DUPLICATE_KEY),
                // Types and values
                arguments("{\"type\":^\"state\",\"payload\":\"000110\"}", Code.SUBIT_UNKNOWN_TYPE),
                arguments("{\"type\":^\"UNKNOWN\",\"payload\":\"000110\"}", Code.SUBIT_UNKNOWN_TYPE),
                arguments("{\"type\":^\"\",\"payload\":\"000110\"}", Code.SUBIT_UNKNOWN_TYPE),
                arguments("{\"type\": ^5,\"payload\":\"000110\"}", Code.SUBIT_UNKNOWN_TYPE),
                arguments("{\"type\":^null,\"payload\":\"000110\"}", Code.SUBIT_UNKNOWN_TYPE),
                arguments("{\"type\":\"STATE\",\"payload\":^110001}", Code.SUBIT_PAYLOAD_TYPE),
                arguments("{\"type\":\"STATE\",\"payload\": ^000110 }", Code.SUBIT_PAYLOAD_TYPE),
                arguments("{\"payload\":^000110,\"type\":\"STATE\"}", Code.SUBIT_PAYLOAD_TYPE),
                arguments("{\"type\":\"STATE\",\"payload\":^null}", Code.SUBIT_PAYLOAD_TYPE),
                arguments("{\"type\":\"STATE\",\"payload\": ^[\"000110\"]}", Code.SUBIT_PAYLOAD_TYPE),
                payload("00^2110", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("000110^-110001", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("000110 ^– 110001", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("^<FORM>", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("^ 000110", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("000110^ ", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("000110 ^ 110001", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("000^ 110", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("000110^\\t110001", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("00\\u0030^\\u0032", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("000110^０", Code.SUBIT_PAYLOAD_CHARACTER),
                payload("^ ", Code.SUBIT_PAYLOAD_CHARACTER),
                arguments("{\"type\":\"STATE\",\"payload\":^\"\"}", Code.SUBIT_PAYLOAD_LENGTH),
                arguments("{\"type\":\"STATE\",\"payload\":^\"00011\"}", Code.SUBIT_PAYLOAD_LENGTH),
                arguments("{\"type\":\"STATE\",\"payload\":^\"0001101\"}", Code.SUBIT_PAYLOAD_LENGTH),
                length("STATE", 2, Code.SUBIT_STATE_LENGTH),
                length("INTENT", 1, Code.SUBIT_INTENT_LENGTH),
                length("ACTION", 1, Code.SUBIT_ACTION_LENGTH),
                length("ACTION", 3, Code.SUBIT_ACTION_LENGTH),
                length("PLAN", 1, Code.SUBIT_PLAN_TOO_SHORT),
                length("PLAN", 2, Code.SUBIT_PLAN_TOO_SHORT),
                length("TRACE", 1, Code.SUBIT_TRACE_LENGTH),
                length("ERROR", 3, Code.SUBIT_ERROR_LENGTH),
                arguments("{\"payload\":^\"000110\",\"type\":\"PLAN\"}", Code.SUBIT_PLAN_TOO_SHORT),
                arguments(STATE + ",\"meta\":^[]}", Code.SUBIT_META_TYPE),
                arguments(STATE + ",\"meta\": ^\"x\"}", Code.SUBIT_META_TYPE),
                arguments(STATE + ",\"meta\":^false}", Code.SUBIT_META_TYPE),
                // What is missing
                arguments("{}^", Code.SUBIT_MISSING_FIELD),
                arguments("{\"type\":\"STATE\"}^", Code.SUBIT_MISSING_FIELD),
                arguments("{\"payload\":\"000110\"}\n^", Code.SUBIT_MISSING_FIELD),
                // The order of faults
                arguments("{\"type\":5,\"type\":6,\"payload\":5^", Code.SUBIT_NOT_JSON),
                arguments("{\"type\":5,^\"type\":6,\"payload\":5}", Code.SUBIT_DUPLICATE_KEY),
                arguments("{\"payload\":^5,\"type\":5}", Code.SUBIT_PAYLOAD_TYPE),
                arguments("{\"meta\":^5}", Code.SUBIT_META_TYPE));
    }

    /** So many keys k0, k1 and so on, each with a number. */
    private static String keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "\"k" + i + "\":" + i).collect(Collectors.joining(","));
    }

    @Test
    void theSameKeyMayStandInSeveralObjects() {
        String nested =
                "{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]},\"agent\":{" + keys(40) + "},\"type\":{" + keys(40) + "}}";
        assertThat(decoded(STATE + ",\"meta\":{\"a\":" + nested + "},\"a\":" + nested + "}")
                        .message()
                        .getExtras())
                .containsExactly(new SubitEntry("a", nested, true));
    }

    @Test
    void aStringMayEndAtAnyPlaceAmongEightBytes() {
        for (int length = 0; length < 20; length++) {
            for (String end : List.of("", "é", "\\n", "\\\"", "?", "\\ud83d\\ude00")) {
                String text = "x".repeat(length);
                String wire = STATE + ",\"meta\":{\"session\":\"" + text + end + "\"}}";
                assertThat(decoded(wire).message().getSession())
                        .startsWith(text)
                        .hasSizeGreaterThanOrEqualTo(length);
                requireSound(wire.getBytes(UTF_8));
                MarkedWire control = MarkedWire.of(STATE + ",\"meta\":{\"session\":\"" + text + "^\u0001\"}}");
                assertThat(malformed(control.text(), DecodeOptions.LENIENT).offset())
                        .isEqualTo(control.offset());
            }
        }
    }

    private static Arguments payload(String marked, Code code) {
        return arguments("{\"type\":\"PLAN\",\"payload\":\"" + marked + "\"}", code);
    }

    private static Arguments length(String type, int forms, Code code) {
        return arguments("{\"type\":\"" + type + "\",\"payload\":^\"" + "000110".repeat(forms) + "\"}", code);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultHasItsCodeAndPlaceInBothProfiles(String marked, Code code) {
        MarkedWire wire = MarkedWire.of(marked);
        for (DecodeOptions options : List.of(DecodeOptions.LENIENT, DecodeOptions.STRICT)) {
            Malformed<SubitMessage> fault = malformed(wire.text(), options);
            assertThat(fault.code()).isEqualTo(code);
            assertThat(fault.offset()).isEqualTo(wire.offset());
        }
    }

    static Stream<Arguments> departures() {
        return Stream.of(
                arguments("^\uFEFF" + STATE + "}", Code.BYTE_ORDER_MARK),
                arguments(STATE + ",^\"x\":1}", Code.SUBIT_EXTRA_KEY),
                arguments("{ ^\"Type\":\"STATE\"," + STATE.substring(1) + "}", Code.SUBIT_EXTRA_KEY),
                arguments("{\"type\":\"PLAN\",\"payload\":\"000110^ 110001 011011\"}", Code.SUBIT_PAYLOAD_SPACED),
                arguments("{\"type\":\"PLAN\",\"payload\":\"000110^\\u0020110001011011\"}", Code.SUBIT_PAYLOAD_SPACED));
    }

    @ParameterizedTest
    @MethodSource("departures")
    void aDepartureFromFormWarnsInLenientAndFailsInStrict(String marked, Code code) {
        MarkedWire wire = MarkedWire.of(marked);
        assertThat(decoded(wire.text()).warnings()).containsExactly(code);
        Malformed<SubitMessage> fault = malformed(wire.text(), DecodeOptions.STRICT);
        assertThat(fault.code()).isEqualTo(code);
        assertThat(fault.offset()).isEqualTo(wire.offset());
    }

    static Stream<Arguments> worthKnowing() {
        return Stream.of(
                arguments(packet("INTENT", "000110".repeat(9)), Code.SUBIT_LONG_INTENT),
                arguments("{\"payload\":\"" + "000110".repeat(9) + "\",\"type\":\"INTENT\"}", Code.SUBIT_LONG_INTENT),
                arguments(STATE + ",\"meta\":{\"agent\":1}}", Code.SUBIT_META_VALUE),
                arguments(STATE + ",\"meta\":{\"x\":{},\"y\":null}}", Code.SUBIT_META_VALUE),
                arguments(STATE + ",\"meta\":{\"timestamp\":\"yesterday\"}}", Code.SUBIT_BAD_TIMESTAMP));
    }

    @ParameterizedTest
    @MethodSource("worthKnowing")
    void whatIsOnlyWorthKnowingWarnsInBothProfiles(String wire, Code code) {
        for (DecodeOptions options : List.of(DecodeOptions.LENIENT, DecodeOptions.STRICT)) {
            assertThat(codec().decode(wire.getBytes(UTF_8), options))
                    .isInstanceOfSatisfying(
                            Decoded.class, read -> assertThat(read.warnings()).isEqualTo(List.of(code)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:00:00.123456789Z",
                "2026-01-01T00:00:00,5+01:00",
                "2026-01-01T00:00:00-0530",
                "2026-01-01T00:00:00+01",
                "2026-01-01T00:00:00",
                "2026-01-01T00:00Z",
                "2026-01-01T24:00:00Z",
                "2024-02-29T23:59:60Z",
                "20260101T000000Z",
                "20260101T0000+0100"
            })
    void theseAreTimestamps(String timestamp) {
        assertThat(decoded(STATE + ",\"meta\":{\"timestamp\":\"" + timestamp + "\"}}")
                        .warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "2026-01-01",
                "2026-01-01 00:00:00Z",
                "2026-01-01T",
                "2026-13-01T00:00:00Z",
                "2026-00-01T00:00:00Z",
                "2025-02-29T00:00:00Z",
                "2026-04-31T00:00:00Z",
                "2026-01-01T25:00:00Z",
                "2026-01-01T24:00:01Z",
                "2026-01-01T00:60:00Z",
                "2026-01-01T00:00:61Z",
                "2026-01-01T00:00:00.Z",
                "2026-01-01T00:00:00Zx",
                "2026-01-01T00:00:00+25:00",
                "2026-01-01T00:00:00+",
                "1767225600"
            })
    void theseAreNoTimestamps(String timestamp) {
        assertThat(decoded(STATE + ",\"meta\":{\"timestamp\":\"" + timestamp + "\"}}")
                        .warnings())
                .containsExactly(Code.SUBIT_BAD_TIMESTAMP);
    }

    @Test
    void aTimestampThatIsNoStringIsBothKindsOfOdd() {
        assertThat(decoded(STATE + ",\"meta\":{\"timestamp\":1767225600}}").warnings())
                .containsExactly(Code.SUBIT_META_VALUE, Code.SUBIT_BAD_TIMESTAMP);
    }

    @Test
    void anEmptyMetaIsOtherThanNone() {
        assertThat(decoded(STATE + ",\"meta\":{}}").message().getMetaPresent()).isTrue();
        assertThat(decoded(STATE + ",\"meta\":null}").message())
                .isEqualTo(decoded(STATE + "}").message());
    }

    @Test
    void bytesThatAreNotUtf8CountAmongLexicalFaultsFromTheLeft() {
        byte[] wire = (STATE + ",\"x\":\"é?\",\"y\":1}").getBytes(UTF_8);
        int at = new String(wire, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf('?');
        wire[at] = (byte) 0xC0;
        assertFault(wire, Code.SUBIT_BAD_UTF8, at);
        wire[1] = 'x';
        assertFault(wire, Code.SUBIT_NOT_JSON, 1);
    }

    @Test
    void theLimitsPointAtTheFirstTooMany() {
        assertThat(malformed(wireWithFields(1_001), DecodeOptions.LENIENT).offset())
                .isEqualTo(wireWithFields(1_000).length());
        assertThat(malformed(wireNested(11).orElseThrow(), DecodeOptions.LENIENT)
                        .offset())
                .isEqualTo(STATE.length() + 5 + 9);
        Limits four = new Limits(1_000, 10, 4, 10);
        DecodeOptions options = new DecodeOptions(Profile.LENIENT, four);
        MarkedWire nested = MarkedWire.of(STATE + ",\"meta\":{\"a\":{^\"b\":1}}}");
        assertThat(malformed(nested.text(), options))
                .isEqualTo(new Malformed<>(Code.TOO_MANY_FIELDS, nested.offset(), "A packet has at most 4 keys."));
    }

    @Test
    void aDepthLimitBeyondTheStackIsNotTakenAtItsWord() {
        DecodeOptions bottomless =
                new DecodeOptions(Profile.LENIENT, new Limits(1 << 20, Integer.MAX_VALUE, 1_000, 1_000));
        assertThat(malformed(wireNested(500_000).orElseThrow(), bottomless).code())
                .isEqualTo(Code.TOO_DEEP);
    }

    @ParameterizedTest
    @CsvSource({
        "STATE, 000110, ASSERT", "INTENT, 000110110001, PROPOSE", "PLAN, 000110110001011011, PROPOSE",
        "ACTION, 000110110001, COMMIT", "TRACE, 000110110001, RESULT", "ERROR, 111111, FAILURE"
    })
    void everyTypeHasItsPerformative(String type, String payload, Performative performative) {
        assertThat(traits(packet(type, payload)).performative()).isEqualTo(performative);
    }

    @Test
    void sessionAndAgentNameConversationAndSender() {
        assertThat(traits(STATE + ",\"meta\":{\"agent\":\"A\",\"session\":\"s\"}}"))
                .isEqualTo(new Traits("s", "A", null, List.of(), Performative.ASSERT, null, List.of()));
        assertThat(traits(STATE + ",\"meta\":{\"agent\":7,\"session\":5}}"))
                .isEqualTo(new Traits("5", "7", null, List.of(), Performative.ASSERT, null, List.of()));
        assertThat(traits(STATE + ",\"meta\":{\"agent\":\"null\",\"session\":\"null\"}}")
                        .sender())
                .isEqualTo("null");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "}",
                ",\"meta\":{}}",
                ",\"meta\":{\"agent\":null,\"session\":null}}",
                ",\"meta\":{\"agent\":\"\",\"session\":\"\"}}"
            })
    void withoutANameThereIsNoConversationAndNoSender(String rest) {
        assertThat(traits(STATE + rest))
                .isEqualTo(new Traits(null, null, null, List.of(), Performative.ASSERT, null, List.of()));
    }

    static Stream<Arguments> unsayable() {
        return Stream.of(
                unsayable("type", message -> message.setType(SubitType.UNKNOWN)),
                unsayable("forms", message -> message.setForms(List.of())),
                unsayable("forms", message -> message.setForms(List.of(1, 2))),
                unsayable("forms", message -> message.setForms(List.of(64))),
                unsayable("forms", message -> message.setForms(List.of(-1))),
                unsayable("metaPresent", message -> message.setMetaPresent(false)),
                unsayable("jsonMeta", message -> message.setJsonMeta(List.of("session"))),
                unsayable("agent", message -> message.setJsonMeta(List.of("agent"))),
                unsayable("agent", message -> message.setAgent("\udc00")),
                unsayable("agent", message -> message.setAgent("Who? \ud83d.")),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("agent", "", false)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", "[1, 2]", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", "\"s\"", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", "1 ", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", " 1", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", "[\"\\/\"]", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", "{\"a\":1,\"a\":1}", true)))),
                unsayable("extras", message -> message.setExtras(List.of(new SubitEntry("type", "", false)))),
                unsayable("extras", message -> message.setExtras(List.of(new SubitEntry("x", "1,\"y\":2", true)))));
    }

    private static Arguments unsayable(String field, Consumer<SubitMessage> change) {
        return arguments(field, change);
    }

    @ParameterizedTest
    @MethodSource("unsayable")
    void whatTheWireCannotSayIsRefusedByName(String field, Consumer<SubitMessage> change) {
        SubitMessage message = decoded(STATE + ",\"meta\":{\"agent\":\"A\"}}").message();
        change.accept(message);
        assertThatThrownBy(() -> codec().encode(message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field);
    }

    private static String packet(String type, String payload) {
        return "{\"type\":\"" + type + "\",\"payload\":\"" + payload + "\"}";
    }

    private Traits traits(String wire) {
        return codec().traits(decoded(wire).message());
    }

    private void assertFault(byte[] wire, Code code, int offset) {
        DecodeResult<SubitMessage> result = codec().decode(wire, DecodeOptions.LENIENT);
        assertThat(result).isInstanceOfSatisfying(Malformed.class, fault -> {
            assertThat(fault.code()).isEqualTo(code);
            assertThat(fault.offset()).isEqualTo(offset);
        });
    }
}
