package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Utf8Test {

    @ParameterizedTest
    @CsvSource({
        "61, -1",
        "C3A9, -1",
        "E282AC, -1",
        "F09F9880, -1",
        "F48FBFBF, -1",
        "EFBFBF, -1",
        "61FF62, 1",
        "6180, 1",
        "C0AF, 0",
        "C1BF, 0",
        "61C3, 1",
        "61C328, 1",
        "E080AF, 0",
        "EDA080, 0",
        "E28261, 0",
        "F08080AF, 0",
        "F4908080, 0",
        "F5808080, 0",
        "61626364656667C328, 7",
        "6162636465666768FF, 8",
    })
    void theFirstIllFormedSequenceIsFound(String hex, int expected) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThat(Utf8.firstInvalid(bytes, 0, bytes.length)).isEqualTo(expected);
    }

    @Test
    void bytesOutsideTheRangeDoNotCount() {
        byte[] bytes = HexFormat.of().parseHex("FF6162FF");
        assertThat(Utf8.firstInvalid(bytes, 1, 3)).isEqualTo(-1);
        assertThat(Utf8.firstInvalid(bytes, 1, 4)).isEqualTo(3);
        assertThat(Utf8.firstInvalid(bytes, 2, 2)).isEqualTo(-1);
    }

    @Test
    void aRangeMayEndBeforeOtherBytesOfTheArray() {
        byte[] bytes = "0123456789é0123456789".getBytes(StandardCharsets.UTF_8);
        for (int from = 0; from <= 10; from++) {
            for (int to = from; to <= 10; to++) {
                assertThat(Utf8.firstInvalid(bytes, from, to)).isEqualTo(-1);
            }
            assertThat(Utf8.firstInvalid(bytes, from, 11)).isEqualTo(10);
            assertThat(Utf8.firstInvalid(bytes, from, 12)).isEqualTo(-1);
        }
    }

    @Test
    void randomBytesAreValidatedLikeInTheJdk() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < Rounds.of(20_000); round++) {
            byte[] bytes = (random.nextBoolean() ? "aé€😀" : "ab").repeat(3).getBytes(StandardCharsets.UTF_8);
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            assertThat(Utf8.firstInvalid(bytes, 0, bytes.length))
                    .as("%s, replay with -Dparley.seed=%d", HexFormat.of().formatHex(bytes), seed)
                    .isEqualTo(firstInvalidOfJdk(bytes));
        }
    }

    @Test
    void aByteOrderMarkIsThreeBytes() {
        assertThat(Utf8.startsWithMark("\uFEFF@".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(Utf8.startsWithMark("\uFEFE@".getBytes(StandardCharsets.UTF_8)))
                .isFalse();
        assertThat(Utf8.startsWithMark(HexFormat.of().parseHex("EFBBBF"))).isTrue();
        for (String hex : List.of("", "EFBB", "EEBBBF", "EFBABF", "EFBBBE")) {
            assertThat(Utf8.startsWithMark(HexFormat.of().parseHex(hex)))
                    .as(hex)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', -1",
        "a, -1",
        "a😀b, -1",
        "😀😀, -1",
        "\ud83d, 0",
        "\ude00, 0",
        "a\ud83d, 1",
        "a\ud83db, 1",
        "ab\ude00, 2",
        "😀\ude00, 2",
        "\ude00\ud83d, 0",
        "\ud83d\ud83d\ude00, 0",
    })
    void anUnpairedSurrogateHasNoUtf8(String text, int expected) {
        assertThat(Utf8.firstLoneSurrogate(text)).isEqualTo(expected);
        assertThat(Utf8.canEncode(text)).isEqualTo(expected < 0);
    }

    private static int firstInvalidOfJdk(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, CharBuffer.allocate(bytes.length), true);
        return result.isMalformed() ? in.position() : -1;
    }
}
