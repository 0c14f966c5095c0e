package dev.parley.server.api.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PathsTest {

    @Test
    void aSegmentKeepsUnreservedCharactersAndEncodesTheBytesOfAllOthers() {
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            if (Character.isSurrogate((char) c)) {
                continue;
            }
            StringBuilder encoded = new StringBuilder();
            String text = Character.toString(c);
            for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
                encoded.append(String.format(Locale.ROOT, "%%%02X", b));
            }
            boolean unreserved = c < 0x80 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0);

            assertThat(Paths.segment('a' + text))
                    .as("U+%04X", c)
                    .isEqualTo('a' + (unreserved ? text : encoded.toString()));
        }
        assertThat(Paths.segment("😀")).isEqualTo("%F0%9F%98%80");
    }

    @Test
    void relativeSegmentsAreEncoded() {
        assertThat(Paths.segment(".")).isEqualTo("%2E");
        assertThat(Paths.segment("..")).isEqualTo("%2E%2E");
        assertThat(Paths.segment("...")).isEqualTo("...");
    }
}
