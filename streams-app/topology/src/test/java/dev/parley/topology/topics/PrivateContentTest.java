package dev.parley.topology.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateContentTest {

    private static final List<Charset> UNICODE =
            List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prv:",
                "PrV :",
                "e\nn\tc\0:",
                "prv\u00A0:",
                "prv\u0085:",
                "prv\u2003:",
                "prv\u3000:",
                "prv\u2028:",
                "prv\uFF1A",
                "\uFF30\uFF32\uFF36\uFF1A",
                "\uFF45nc\uFF1A",
                "p\u200Brv:",
                "p\u200Dr\uFEFFv\u00AD:",
                "p\uFE0Frv\u034F:",
                "e\uDB40\uDC41nc:",
                "e\u3164nc:",
                "xpprv:",
                "prprv:",
                "eenc:y"
            })
    void aMarkIsFoundInAnyCaseWidthAndSpacing(String text) {
        for (Charset charset : UNICODE) {
            assertThat(hasMark(text.getBytes(charset))).as(charset.name()).isTrue();
            assertThat(hasMark(("x" + text + "x").getBytes(charset)))
                    .as(charset.name())
                    .isTrue();
            byte[] odd = ("\0\0" + text).getBytes(charset);
            odd[0] = 'x';
            assertThat(hasMark(Arrays.copyOfRange(odd, 1, odd.length)))
                    .as("%s at an odd byte", charset)
                    .isTrue();
        }
    }

    @Test
    void aMarkIsFoundInBytesThatAreNotUnicode() {
        assertThat(hasMark("prv\u00A0\u0085:".getBytes(StandardCharsets.ISO_8859_1)))
                .isTrue();
        assertThat(hasMark("\u00FFprv:".getBytes(StandardCharsets.ISO_8859_1))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "prv", "p-rv:", "prv;", "prev:", "en:c", "\u0440rv:", "prv\u2236"})
    void otherTextHasNoMark(String text) {
        for (Charset charset : UNICODE) {
            assertThat(hasMark(text.getBytes(charset))).as(charset.name()).isFalse();
        }
    }

    @Test
    void theSearchIsLinear() {
        for (String text : List.of("pr\u200Bpenc\u00A0en", ":", "rv:", "\u200B:", "\u200B", "\u0100\u1A3A")) {
            for (Charset charset : UNICODE) {
                byte[] bytes = (text.repeat(1 << 18) + ":").getBytes(charset);
                Assertions.assertTimeout(
                        Duration.ofSeconds(10), () -> assertThat(hasMark(bytes)).isFalse());
            }
        }
    }

    private static boolean hasMark(byte[] bytes) {
        return PrivateContent.hasMark(ByteBuffer.wrap(bytes));
    }
}
