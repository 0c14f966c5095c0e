package dev.parley.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecimalTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "7, 9, 7",
        "007, 7, 7",
        "9223372036854775807, 9223372036854775807, 9223372036854775807",
        "9223372036854775808, 9223372036854775807, -1",
        "99999999999999999999, 9223372036854775807, -1",
        "10, 9, -1",
        "8, 7, -1",
        "'', 9, -1",
        "-1, 9, -1",
        "+1, 9, -1",
        "1x, 99, -1",
        "٣, 9, -1"
    })
    void onlyDigitsUpToTheMaximumAreANumber(String text, long max, long expected) {
        byte[] bytes = text.getBytes(UTF_8);
        assertThat(Decimal.parse(text, max)).isEqualTo(expected);
        assertThat(Decimal.parse(bytes, 0, bytes.length, max)).isEqualTo(expected);
    }

    @Test
    void aRangeBeyondTheTextIsNotANumber() {
        assertThat(Decimal.parse("a12b", 1, 3, 99)).isEqualTo(12);
        assertThat(Decimal.parse("12", 1, 3, 99)).isEqualTo(Decimal.NONE);
        assertThat(Decimal.parse(new byte[] {'1'}, 0, 2, 99)).isEqualTo(Decimal.NONE);
        assertThat(Decimal.parse("12", 1, 1, 99)).isEqualTo(Decimal.NONE);
    }

    @Test
    void anyNumberIsWrittenInItsDigits() {
        for (long number : new long[] {0, 7, 1_023, 1_024, 1L << 32, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
            assertThat(Decimal.text(number)).isEqualTo(Long.toString(number));
        }
        assertThat(Decimal.text(1_023)).isSameAs(Decimal.text(1_023));
        assertThat(Decimal.text(0)).isSameAs(Decimal.text(0));
    }
}
