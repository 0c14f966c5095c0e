package dev.parley.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class SwarBytesTest {
    private static final long SEED = Long.getLong("parley.seed", System.nanoTime());

    @Test
    void theFirstByteIsTheLowestOfTheLong() {
        assertThat(SwarBytes.at(new byte[] {9, 1, 2, 3, 4, 5, 6, 7, (byte) 0x88, 9}, 1))
                .isEqualTo(0x8807060504030201L);
    }

    @Test
    void fewerThanEightAreRefused() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> SwarBytes.at(new byte[8], 1));
    }

    @Test
    void theFirstByteThatEqualsACharacterIsFound() {
        for (char ascii : new char[] {0, ' ', '"', '\\', 'a', 0x7F}) {
            check(eight -> SwarBytes.equal(eight, ascii), value -> value == ascii);
        }
    }

    @Test
    void theFirstByteBelowALimitIsFound() {
        for (int limit : new int[] {1, ' ', '!', 0x7F, 0x80}) {
            check(eight -> SwarBytes.below(eight, limit), value -> value < limit);
        }
    }

    @Test
    void theFirstByteBeyondAsciiIsFound() {
        check(SwarBytes::beyondAscii, value -> value > 0x7F);
    }

    @Test
    void theFirstByteBeyondPrintableAsciiIsFound() {
        check(SwarBytes::beyondPrintable, value -> value >= SwarBytes.DELETE);
    }

    @Test
    void theFirstOfTwoKindsIsFound() {
        check(
                eight -> SwarBytes.below(eight, ' ') | SwarBytes.beyondAscii(eight),
                value -> value < ' ' || value > 0x7F);
    }

    /** Every value at every position among arbitrary bytes, and random bytes. */
    private static void check(LongUnaryOperator question, IntPredicate asked) {
        for (int value = 0; value < 256; value++) {
            for (int place = 0; place < SwarBytes.COUNT; place++) {
                byte[] bytes = new byte[SwarBytes.COUNT];
                for (int filler : new int[] {'0', 0, 0xFF}) {
                    Arrays.fill(bytes, (byte) filler);
                    bytes[place] = (byte) value;
                    agree(question, asked, bytes);
                }
            }
        }
        Random random = new Random(SEED);
        byte[] bytes = new byte[SwarBytes.COUNT];
        for (int round = 0; round < Rounds.of(10_000); round++) {
            random.nextBytes(bytes);
            agree(question, asked, bytes);
        }
    }

    private static void agree(LongUnaryOperator question, IntPredicate asked, byte[] bytes) {
        int first = 0;
        while (first < bytes.length && !asked.test(bytes[first] & 0xFF)) {
            first++;
        }
        long marks = question.applyAsLong(SwarBytes.at(bytes, 0));
        assertThat(SwarBytes.first(marks))
                .as("parley.seed=%d, bytes %s", SEED, bytes)
                .isEqualTo(first);
    }
}
