package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.subit.SubitCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which of several errors of a packet is reported, and its offset. */
class JsonScannerTest {
    private static final String BEFORE = "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"x\":";

    private static DecodeResult<SubitMessage> decode(String wire) {
        return new SubitCodec().decode(wire.getBytes(ISO_8859_1), DecodeOptions.LENIENT);
    }

    private static Malformed<SubitMessage> fault(String wire) {
        return (Malformed<SubitMessage>) decode(wire);
    }

    /** ~ represents a byte that is not UTF-8; it is reported if it comes before the point at which the error shows. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "\"\\~, 2, SUBIT_BAD_UTF8",
                "\"\\x~, 1, SUBIT_NOT_JSON",
                "\"~\\x, 1, SUBIT_BAD_UTF8",
                "\"\\u12~, 5, SUBIT_BAD_UTF8",
                "\"\\u1g3~, 6, SUBIT_BAD_UTF8",
                "\"\\u1g34~, 1, SUBIT_NOT_JSON",
                "\"\\uD800~, 7, SUBIT_BAD_UTF8",
                "\"\\uD800x~, 1, SUBIT_NOT_JSON",
                "\"\\uD800\\u004~, 12, SUBIT_BAD_UTF8",
                "\"\\uD800\\u0041~, 1, SUBIT_NOT_JSON",
                "\"\\uDC00x~, 1, SUBIT_NOT_JSON",
                "\"abc~, 4, SUBIT_BAD_UTF8",
                "\"abc, 0, SUBIT_NOT_JSON",
                "\"abc\\, 0, SUBIT_NOT_JSON",
                "12x4~, 4, SUBIT_BAD_UTF8",
                "12x4 ~, 0, SUBIT_NOT_JSON",
                "]~, 0, SUBIT_NOT_JSON",
                "~, 0, SUBIT_BAD_UTF8"
            })
    void earlierInvalidUtf8TakesPrecedence(String value, int at, Code code) {
        Malformed<SubitMessage> fault = fault(BEFORE + value.replace('~', (char) 0xFF));
        assertThat(fault.code()).isEqualTo(code);
        assertThat(fault.offset()).isEqualTo(BEFORE.length() + at);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"x\":1,\"", "{\"y\":{\"a\":1,\"a\":2},\"x\":1,\""})
    void theFirstRepeatedKeyIsReported(String before) {
        String wire = "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":" + before
                + "x\":2,\"z\":{\"b\":1,\"b\":2}},\"later\":1,\"later\":2}";
        Malformed<SubitMessage> fault = fault(wire);
        assertThat(fault.code()).isEqualTo(Code.SUBIT_DUPLICATE_KEY);
        int first = before.contains("\"a\"") ? wire.indexOf("\"a\":2") : wire.indexOf("\"x\":2");
        assertThat(fault.offset()).isEqualTo(first);
    }

    @Test
    void closedBracketsDoNotCountAsDepth() {
        String many = "[[]],".repeat(50);
        assertThat(decode(BEFORE + "[" + many + "{\"a\":{}},{\"b\":{}},[]]}}")).isInstanceOf(Decoded.class);
        assertThat(fault(BEFORE + "[[[[[[[[[[[]]]]]]]]]]]}}").code()).isEqualTo(Code.TOO_DEEP);
        assertThat(fault(BEFORE + "[[[[[[[[{\"a\":1}]]]]]]]]}}").code()).isEqualTo(Code.TOO_DEEP);
        assertThat(decode(BEFORE + "[[[[[[[{\"a\":1}]]]]]]]}}")).isInstanceOf(Decoded.class);
    }

    @Test
    void aMissingPartIsReportedAtItsPosition() {
        assertThat(fault(BEFORE + "1 \"y\":2}}").offset()).isEqualTo(BEFORE.length() + 2);
        assertThat(fault(BEFORE + "1,y:2}}").detail()).contains("key in double quotes");
        assertThat(fault(BEFORE + "1,\"y\" 2}}").detail()).contains("colon");
        assertThat(fault(BEFORE + "1,\"y\":2}").detail()).contains("comma or the closing bracket");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "\"a\u0001b; 2; control character",
                "\"a; 0; not closed",
                "\"a\\; 0; not closed",
                "\"a\\x\"; 2; one that JSON defines",
                "\"\\u12\"; 1; four hexadecimal digits",
                "\"\\udc00\"; 1; unpaired surrogate",
                "\"\\ud83d\"; 1; unpaired surrogate",
                "\"\\ud83d\\ud83d\"; 1; unpaired surrogate",
                "\"\\ud83d\\u00; 1; unpaired surrogate",
                "\"\\ud83d\\n\"; 1; unpaired surrogate",
                "\"\\ud83dxude00\"; 1; unpaired surrogate",
                "1,\"y; 2; not closed",
                "1,\"y\\q\":1; 4; one that JSON defines",
                "tru; 0; must be a JSON number",
                "1x; 0; must be a JSON number",
                "*; 0; JSON value is missing",
                "; 0; JSON value is missing"
            })
    void anErrorInAValueHasItsReason(String value, int at, String detail) {
        Malformed<SubitMessage> fault = fault(BEFORE + (value == null ? "" : value));
        assertThat(fault.code()).isEqualTo(Code.SUBIT_NOT_JSON);
        assertThat(fault.detail()).contains(detail);
        assertThat(fault.offset()).isEqualTo(BEFORE.length() + at);
    }

    /** Few keys are compared as bytes, many as texts, and so are those with escapes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 22, 23, 24, 25, 40})
    void aRepeatedKeyIsFoundAmongAnyNumberOfKeys(int others) {
        StringBuilder keys = new StringBuilder();
        for (int key = 0; key < others; key++) {
            keys.append(",\"k").append(key).append("\":0");
        }
        for (String again : new String[] {"\"first\"", "\"f\\u0069rst\""}) {
            String wire = BEFORE + "{\"first\":1" + keys + "," + again + ":2," + again + ":3}}}";
            Malformed<SubitMessage> fault = fault(wire);
            assertThat(fault.code()).isEqualTo(Code.SUBIT_DUPLICATE_KEY);
            assertThat(fault.offset()).isEqualTo(wire.indexOf(again + ":2"));
        }
        assertThat(decode(BEFORE + "{\"first\":1" + keys + ",\"firs\":2,\"\\u0066\":3}}}"))
                .isInstanceOf(Decoded.class);
    }

    @Test
    void aKeyWithAKnownStartIsAnotherKey() {
        String wire = "{\"types\":1,\"type\":\"STATE\",\"payload\":\"000110\",\"metadata\":2,\"met\":3,"
                + "\"meta\":{\"agents\":\"x\",\"agent\":\"a\"}}";
        SubitMessage message = ((Decoded<SubitMessage>) decode(wire)).message();
        assertThat(message.getAgent()).isEqualTo("a");
        assertThat(message.getMeta()).containsExactly(new SubitEntry("agents", "x", false));
        assertThat(message.getExtras()).extracting(SubitEntry::getKey).containsExactly("types", "metadata", "met");
        assertThat(fault("{\"type\":\"STATES\",\"payload\":\"000110\"}").code()).isEqualTo(Code.SUBIT_UNKNOWN_TYPE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "[ \"\\u0020\\/\\u0041\" , { } ]; [\" /A\",{}]",
                "[\"\\b\\f\\n\\r\\t\\\\\\\"\"]; [\"\\b\\f\\n\\r\\t\\\\\\\"\"]",
                "[\"\\u0008\\u000c\\u000A\\u000d\\u0009\\u005c\\u0022\"]; [\"\\b\\f\\n\\r\\t\\\\\\\"\"]",
                "[\"\\n\\/\"]; [\"\\n/\"]",
                "[\"\\u0041\\n\"]; [\"A\\n\"]",
                "[\"\\u0001\\u001F\"]; [\"\\u0001\\u001f\"]",
                "[\"\\u00e9\\ud83d\\ude00\"]; [\"\u00e9\ud83d\ude00\"]",
                "{ \"a b\" : \"c  d\" }; {\"a b\":\"c  d\"}",
                "1.50E+3; 1.50E+3"
            })
    void aValueIsKeptAsCompactJson(String value, String compact) {
        SubitMessage message = ((Decoded<SubitMessage>)
                        new SubitCodec().decode((BEFORE + value + "}}").getBytes(UTF_8), DecodeOptions.LENIENT))
                .message();
        assertThat(message.getMeta()).containsExactly(new SubitEntry("x", compact, true));
        assertThat(new SubitCodec().encode(message)).asString(UTF_8).isEqualTo(BEFORE + compact + "}}");
    }

    @Test
    void aStringIsWrittenWithTheFewestEscapes() {
        String wire = BEFORE + "\"\\b\\f\\n\\r\\t\\\\\\\"/\\u0001\\u001f ?\u007f\u00e9\"}}";
        SubitMessage message = ((Decoded<SubitMessage>)
                        new SubitCodec().decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT))
                .message();
        assertThat(message.getMeta().get(0).getValue()).isEqualTo("\b\f\n\r\t\\\"/\u0001\u001f ?\u007f\u00e9");
        assertThat(new SubitCodec().encode(message)).asString(UTF_8).isEqualTo(wire);
    }
}
