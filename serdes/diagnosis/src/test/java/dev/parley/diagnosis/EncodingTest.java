package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A text has at most one outermost encoding, which is removed exactly. */
class EncodingTest {

    private static String decoded(byte[] text) {
        byte[] decoded = Encoding.decoded(text);
        return decoded == null ? null : new String(decoded, UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ';',
            value = {
                "\"\"; JSON_STRING; ``",
                "\"a\\n\\u0041\\\"\"; JSON_STRING; `a\nA\"`",
                "\"a; ;",
                "a\"; ;",
                "\"; ;",
                "\"a\"b\"; JSON_STRING; a\"b",
                "\"\\\"; JSON_STRING;",
                "\\\"\\\"; JSON_IN_STRING; \"\"",
                "\\\"a\\\\\\\"b\\\"; JSON_IN_STRING; \"a\\\"b\"",
                "\\\"a; ;",
                "\\\"a\"; ;",
                "\\\"; ;",
                "QUJDREVG; BASE64; ABCDEF",
                "QUJDREU=; BASE64; ABCDE",
                "QUJDRA==; BASE64; ABCD",
                "QUJDREU; ; ",
                "QUJDREVGRw; BASE64; ABCDEFG",
                "QUJDREVGRw==; BASE64; ABCDEFG",
                "`QUJDREVG\nRw==`; BASE64; ABCDEFG",
                "`QUJD\r\nREVG`; BASE64; ABCDEF",
                "Pz8/Pj4+; BASE64; ???>>>",
                "Pz8_Pj4-; BASE64; ???>>>",
                "zzzzzzz0; BASE64; *",
                "QUJD; ;",
                "QUJDREVGR; ;",
                "QUJDREVGR===; ;",
                "QUJDREVG=; ;",
                "QUJDREU=QUJDREU=; ;",
                "QUJD REVG; ;",
                "QUJDREV.; ;",
                "========; ;",
                "hello, you; ;"
            })
    void theOutermostEncodingIsRemoved(String text, Encoding encoding, String decoded) {
        byte[] bytes = text.getBytes(UTF_8);
        assertThat(Encoding.of(bytes)).isEqualTo(encoding);
        if ("*".equals(decoded)) {
            assertThat(Encoding.decoded(bytes)).hasSize(6);
        } else {
            assertThat(decoded(bytes)).isEqualTo(decoded);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "fffe4100, A",
        "feff0041, A",
        "41004200, AB",
        "00410042, AB",
        "7e00, ~",
        "007e, ~",
        "4100ac20, A€",
        // Half a surrogate pair.
        "410000d8, "
    })
    void utf16HasAMarkOrStartsWithAscii(String hex, String decoded) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThat(Encoding.of(bytes)).isEqualTo(Encoding.UTF_16);
        assertThat(decoded(bytes)).isEqualTo(decoded);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "41", "0000", "8000", "0080", "ff00", "fffd", "fefe", "feffff", "410042", "4142"})
    void otherBytesAreNotUtf16(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThat(Encoding.of(bytes)).isNull();
        assertThat(Encoding.decoded(bytes)).isNull();
        assertThat(Encoding.withoutLayers(bytes)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ';',
            value = {
                "a\\\"b; PART_OF_JSON_STRING; a\"b",
                "a\\\\\\\"b; PART_OF_JSON_STRING; a\"b",
                "a\\u0041; PART_OF_JSON_STRING; aA",
                "a\\q; PART_OF_JSON_STRING; a\\q",
                "a\\; PART_OF_JSON_STRING; a\\",
                "a\\nb\"; ; a\\nb\"",
                "`a\\nb\n`; ; `a\\nb\n`",
                "a b; ; a b"
            })
    void theRangeOfAPartOfAStringHasItsEscapes(String range, Encoding encoding, String text) {
        assertThat(Encoding.ofRange(range.getBytes(UTF_8))).isEqualTo(encoding);
        assertThat(new String(Encoding.withoutLayers(range.getBytes(UTF_8)), UTF_8))
                .isEqualTo(text);
    }

    @Test
    void upToThreeEncodingsAreRemoved() {
        String text = "!Ik/\"é\"";
        String[] layers = {
            "\"!Ik/\\\"é\\\"\"", "\"\\\"!Ik/\\\\\\\"é\\\\\\\"\\\"\"", "\"\\\"\\\\\\\"x\\\\\\\"\\\"\"",
        };
        assertThat(new String(Encoding.withoutLayers(layers[0].getBytes(UTF_8)), UTF_8))
                .isEqualTo(text);
        assertThat(new String(Encoding.withoutLayers(layers[1].getBytes(UTF_8)), UTF_8))
                .isEqualTo(text);
        assertThat(new String(Encoding.withoutLayers(layers[1].getBytes(UTF_16)), UTF_8))
                .isEqualTo(text);
        assertThat(new String(Encoding.withoutLayers(layers[2].getBytes(UTF_8)), UTF_8))
                .isEqualTo("x");
        assertThat(new String(Encoding.withoutLayers(layers[2].getBytes(UTF_16)), UTF_8))
                .isEqualTo("\"x\"");
        assertThat(new String(Encoding.withoutLayers("é".getBytes(ISO_8859_1)), ISO_8859_1))
                .isEqualTo("é");
    }
}
