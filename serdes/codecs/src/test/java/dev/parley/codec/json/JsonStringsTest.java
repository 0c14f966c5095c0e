package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonStringsTest {

    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 1, 0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x1F600, 0x3FFFF, 0x40000,
                0x10FFFF
            })
    void anEscapeStandsForItsCharacter(int codePoint) {
        String text = Character.toString(codePoint);
        StringBuilder escape = new StringBuilder("a");
        for (char unit : text.toCharArray()) {
            escape.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
        }
        byte[] lower = (escape + "z").getBytes(US_ASCII);
        byte[] upper = (escape.toString().toUpperCase(Locale.ROOT).replace("\\U", "\\u") + "z").getBytes(US_ASCII);

        assertThat(JsonStrings.escapeLength(lower, 1)).isEqualTo(lower.length - 2);
        assertThat(JsonStrings.escapeLength(lower, 1, codePoint)).isEqualTo(lower.length - 2);
        assertThat(JsonStrings.codePoint(upper, 1)).isEqualTo(codePoint);
        assertThat(JsonStrings.unescaped(lower, 1, lower.length)).isEqualTo(text + "z");

        byte[] out = new byte[6];
        assertThat(JsonStrings.put(codePoint, out, 1)).isEqualTo(1 + text.getBytes(UTF_8).length);
        assertThat(new String(out, 1, text.getBytes(UTF_8).length, UTF_8)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "\\n, 2",
                "\\/, 2",
                "\\\", 2",
                "\\\\, 2",
                "\\x, 0",
                "\\, 0",
                "\\u, 0",
                "\\u12, 0",
                "\\u123, 0",
                "\\u1234, 6",
                "\\u12G4, 0",
                "\\u12g4, 0",
                "\\u12@4, 0",
                "\\uD800, 0",
                "\\uDC00, 0",
                "\\uDC00\\uDC00, 0",
                "\\uD800\\uD800, 0",
                "\\uD800\\uDC00, 12",
                "\\uDBFF\\uDFFF, 12",
                "\\uD800xxxxxx, 0",
                "\\uD800\\nxxxx, 0",
                "\\uD800\\u00, 0",
                "\\uD800\\uE000, 0",
                "\\uD7FF, 6",
                "\\uE000, 6"
            })
    void anEscapeHasItsLengthOrNone(String escape, int length) {
        assertThat(JsonStrings.escapeLength(escape.getBytes(US_ASCII), 0)).isEqualTo(length);
    }
}
