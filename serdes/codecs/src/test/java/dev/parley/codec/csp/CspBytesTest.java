package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.CspMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CspBytesTest {

    @ParameterizedTest
    @ValueSource(strings = {"A", "DEF", "->", ":=", "PRIORITY"})
    void aWordIsPackedAlikeAtEveryPosition(String word) {
        long packed = CspBytes.packed(word);
        assertThat(packed).isPositive();
        assertThat(CspBytes.length(packed)).isEqualTo(word.length());
        for (String after : new String[] {"", " ", "\n", " and more bytes", "\tmore", "\r\n", "\u00E4"}) {
            byte[] bytes = ("x" + word + after).getBytes(ISO_8859_1);
            assertThat(CspBytes.packed(bytes, 1, 1 + word.length())).isEqualTo(packed);
            assertThat(CspBytes.firstLetters(bytes, 1)).isEqualTo(packed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PRIORITYX", "RE\u00C4", "\0REQ", "REQ\0", "RE Q", "\u0152EQ"})
    void otherWordsArePackedAsZero(String word) {
        assertThat(CspBytes.packed(word)).isZero();
    }

    @Test
    void plainBytesEndAtTheFirstOtherByte() {
        for (int length = 0; length < 40; length++) {
            byte[] plain = "x ~".repeat(20).substring(0, length).getBytes(ISO_8859_1);
            for (int from = 0; from <= length; from++) {
                assertThat(CspBytes.skipPlain(plain, from)).isEqualTo(length);
            }
            for (int at = 0; at < length; at++) {
                for (byte other : new byte[] {0, '\t', '\n', '\r', 0x1F, (byte) 0x80, (byte) 0xFF}) {
                    byte[] bytes = plain.clone();
                    bytes[at] = other;
                    assertThat(CspBytes.skipPlain(bytes, 0)).isEqualTo(at);
                    assertThat(CspBytes.skipPlain(bytes, at + 1)).isEqualTo(length);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(CspKey.class)
    void everyKeyHasItsOwnRecordField(CspKey key) {
        CspMessage message = new CspMessage();
        assertThat(CspKey.count(message)).isZero();
        key.set(message, "x");
        assertThat(CspKey.count(message)).isEqualTo(1);
        for (CspKey other : CspKey.values()) {
            assertThat(other.get(message)).isEqualTo(other == key ? "x" : null);
        }
    }
}
