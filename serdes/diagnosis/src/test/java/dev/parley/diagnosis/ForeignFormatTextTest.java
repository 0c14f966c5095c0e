package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of a value that its author does not see has its name and its byte. */
class ForeignFormatTextTest {

    private static String detail(String value) {
        return ForeignFormat.detail(value.getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"&lt;", "&gt;", "&amp;", "&quot;", "&nbsp;", "&#62;", "&#x3e;"})
    void anEntityHasItsByte(String entity) {
        for (String before : new String[] {"", " ", "a & b <", "äb"}) {
            assertThat(detail(before + entity))
                    .isEqualTo("byte " + before.getBytes(UTF_8).length
                            + " starts an entity of HTML; send the character itself");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%0A", "%0a", "%20", "%22", "%2F", "%2f", "%3A", "%3a", "%40", "%7B", "%7b", "%7C", "%7c"})
    void anEscapeHasItsByte(String escape) {
        for (String before : new String[] {"", " ", "5% of ", "a=%zz"}) {
            assertThat(detail(before + escape))
                    .isEqualTo("byte " + before.length() + " starts an escape of URLs; send the character itself");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u200B", "\u200C", "\u200D", "\u200E", "\u200F", "\u2060", "\u00A0", "\u00AD"})
    void anInvisibleCharacterBeforeTheTextHasItsByte(String invisible) {
        for (String before : new String[] {"", "\n ", "\uFEFF"}) {
            assertThat(detail(before + invisible + "hello"))
                    .isEqualTo("an invisible character is at byte " + before.getBytes(UTF_8).length
                            + ", before the message; send the message without it");
        }
        assertThat(detail("x" + invisible + "hello")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "1f8b, true",
        "28b52ffd, true",
        "1f8b08, true",
        "1f, false",
        "1f8c, false",
        "28b52ffc, false",
        "28b52f, false"
    })
    void aCompressedValueIsNamed(String start, boolean compressed) {
        String detail = ForeignFormat.detail(HexFormat.of().parseHex(start));
        assertThat(detail != null && detail.startsWith("the value is compressed"))
                .isEqualTo(compressed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"---\n", "a: b\nc: d", " a:\nb:", "a_1-B: x\nc-: y\nprose", "a:\nb:\n", "a:\r\nb:\tx"})
    void yamlIsNamed(String value) {
        assertThat(detail(value)).isEqualTo("this is YAML or a list of keys and values; send a message of a protocol");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<p>", " <a", "<1", "<Z/>"})
    void aTagIsNamed(String value) {
        assertThat(detail(value)).isEqualTo("this is text with tags, such as XML; send the message alone");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<",
                "< p>",
                "x<p>",
                "<>",
                "hello",
                "&",
                "& lt;",
                "&lte",
                "%",
                "%4",
                "%41",
                "% 20",
                "---",
                "--- \n",
                "a: b",
                "a: b\n",
                "a:b\nc:d",
                "a: b\nc:d",
                "a: b\nc d",
                "a: b\n\nc: d",
                "a b: c\nd: e",
                ": a\nb: c",
                "a: b\n: c",
                "a",
                "a\nb: c\nd: e",
                "[a]: b\nc: d",
                "a:\n  - x\nb: y"
            })
    void otherTextHasNoForm(String value) {
        assertThat(detail(value)).isNull();
    }

    @Test
    void onlyTheFirst8KiBAreRead() {
        String text = "x".repeat((8 << 10) - 1);
        assertThat(detail(" " + text + "&lt;")).contains("byte 8192 starts an entity");
        assertThat(detail("x" + text + "&lt;")).isNull();
        assertThat(detail("a: " + text + "\nb: c")).isNull();
    }
}
