package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.SubitMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
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
    }

    @Test
    void aMissingPartIsReportedAtItsPosition() {
        assertThat(fault(BEFORE + "1 \"y\":2}}").offset()).isEqualTo(BEFORE.length() + 2);
        assertThat(fault(BEFORE + "1,y:2}}").detail()).contains("key in quotes");
        assertThat(fault(BEFORE + "1,\"y\" 2}}").detail()).contains("colon");
        assertThat(fault(BEFORE + "1,\"y\":2}").detail()).contains("comma or the closing bracket");
    }
}
