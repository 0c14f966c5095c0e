package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CspBodyTest {
    @Test
    void aSecondMessageInDataStartsAtItsFirstLine() {
        for (String before : new String[] {"", "x\n", "CSP/1\n", "CSP/1\nTO A\n", "CSP/1\n FROM A\n", "CSP/1 x\n"}) {
            String text = before + "CSP/1\r\nFROM A";
            assertThat(CspBody.secondMessage(text.getBytes(UTF_8), 0)).as(text).isEqualTo(before.length());
            assertThat(CspBody.secondMessage(
                            text.substring(0, text.length() - 2).getBytes(UTF_8), 0))
                    .as(text)
                    .isEqualTo(-1);
        }
    }
}
