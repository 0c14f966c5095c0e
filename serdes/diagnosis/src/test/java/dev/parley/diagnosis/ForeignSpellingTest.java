package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.decode.WireProtocols;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignSpellingTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "a＃b, a#b",
                "“a”, \"a\"",
                "a → b ≔ c, a -> b := c",
                "３＜５, 3<5",
                "&lt;&#60;&#x3C;&quot;, <<<\"",
                "&#039;&#39;&apos;, '''",
                "a%7Cb%7cc, a|b|c",
                "a\\/b\\u003e\\u003E\\|, a/b>>|",
                // An escaped quote or backslash is text, as is what names no printable character of ASCII.
                "\\\"\\\\/, \\\"\\\\/",
                "é日&eacute;&#233;&#0;&;& %zz%0D%41%8 \\u00e9\\u00 \\n, é日&eacute;&#233;&#0;&;& %zz%0D%41%8 \\u00e9\\u00 \\n",
            })
    void aTextHasTheCharactersOfAsciiForWhichOthersAreWritten(String text, String ascii) {
        assertThat(new String(ForeignSpelling.inAscii(text.getBytes(UTF_8), 0), UTF_8))
                .isEqualTo(ascii);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\\", "&", "&#", "&#x", "%", "%2", "\\u", "\\\n", "\\u002", "a&quot", "&12345678;"})
    void anIncompleteSpellingIsNone(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        assertThat(ForeignSpelling.find(bytes, 0)).isEqualTo(bytes.length);
    }

    /** A large value is not read repeatedly. */
    @Test
    void aLargeTextHasNoSpelling() {
        byte[] bytes = "＃".repeat((64 << 10) / 3).getBytes(UTF_8);
        assertThat(ForeignSpelling.find(bytes, 0)).isZero();
        byte[] larger = "＃".repeat((64 << 10) / 3 + 1).getBytes(UTF_8);
        assertThat(ForeignSpelling.find(larger, 0)).isEqualTo(larger.length);
    }

    @Test
    void bytesThatAreNotUtf8AreNoSpelling() {
        byte[] bytes = {(byte) 0xEF, (byte) 0xBC, (byte) 0x80, (byte) 0xFF, (byte) 0xEF, (byte) 0xBC};
        assertThat(ForeignSpelling.find(bytes, 0)).isEqualTo(bytes.length);
    }

    /** Spellings before the wrong one are content of strings. */
    @Test
    void theWrongSpellingIsNamed() {
        assertThat(cause("@a3|f0|c1|S0|d1|T1|t\"a → b “c”\"＃").offset()).isEqualTo(37);
        assertThat(cause("@a3|f0|c1|S0|d1|T1|t\"a → b“c”\"|k?＃")).isNull();
    }

    private static Malformed<?> cause(String text) {
        byte[] wire = text.getBytes(UTF_8);
        Malformed<?> error = (Malformed<?>) WireProtocols.SLIP.codec().decode(wire, DecodeOptions.LENIENT);
        Malformed<?> cause = ForeignSpelling.cause(wire, error, WireProtocols.SLIP);
        assertThat(cause == null ? error.code() : cause.code()).isEqualTo(error.code());
        return cause;
    }
}
