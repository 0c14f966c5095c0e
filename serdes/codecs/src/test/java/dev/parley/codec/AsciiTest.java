package dev.parley.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AsciiTest {

    @ParameterizedTest
    @CsvSource({
        "SLIP1, 0, SLIP, true",
        "SLIP, 0, SLIP, true",
        "xSLIP, 1, SLIP, true",
        "SLIP1, 1, LIP1, true",
        "SLI, 0, SLIP, false",
        "xSLI, 1, SLIP, false",
        "xSLIP, 2, SLIP, false",
        "xSLIP, 0, SLIP, false",
        "SLIp, 0, SLIP, false",
        "TLIP, 0, SLIP, false",
        "SLxP, 0, SLIP, false",
        "SLIP, 4, '', true",
        "SLIP, 5, '', false",
        "'', 0, '', true",
        "'', 0, S, false",
    })
    void aPrefixIsComparedFromAnIndex(String wire, int from, String prefix, boolean expected) {
        assertThat(Ascii.startsWith(wire.getBytes(US_ASCII), from, prefix)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "From, 0, FROM, true",
        "xfrom1, 1, FROM, true",
        "FROM, 0, from, true",
        "az, 0, AZ, true",
        "FRO, 0, FROM, false",
        "FROM, 1, FROM, false",
        "FROX, 0, FROM, false",
        "XROM, 0, FROM, false",
        "'\u0006ROM', 0, FROM, false",
        "FROM, 4, '', true",
        "FROM, 5, '', false"
    })
    void lettersAreComparedInAnyCase(String wire, int from, String letters, boolean expected) {
        assertThat(Ascii.startsWithLetters(wire.getBytes(US_ASCII), from, letters))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "\"ab\"c, 0, 5, 4",
                "x\"\"y, 1, 4, 3",
                "\"a\\\"b\"c, 0, 7, 6",
                "\"a\\\\\"c, 0, 6, 5",
                "\"ab, 0, 3, 3",
                "\"ab\"c, 0, 3, 3",
                "\"ab\"c, 0, 4, 4",
                "\"a\\, 0, 3, 3",
                "\", 0, 1, 1"
            })
    void aStringEndsAtItsQuote(String wire, int quote, int end, int expected) {
        assertThat(Ascii.afterString(wire.getBytes(US_ASCII), quote, end)).isEqualTo(expected);
    }

    @Test
    void onlyLettersAndDigitsOfAsciiAreAlphanumeric() {
        assertThat(allThat(Ascii::isAlphanumeric))
                .isEqualTo("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    }

    @Test
    void onlySpaceTabAndLineEndsAreSpaces() {
        assertThat(allThat(Ascii::isSpace)).isEqualTo("\t\n\r ");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 0, 0",
        "x, 0, 0",
        "' x', 0, 1",
        "'a b', 0, 0",
        "'a b', 1, 2",
        "'a   b', 1, 4",
        "'   ', 0, 3",
        "'   ', 3, 3",
        "'a  ', 1, 3",
    })
    void spacesAreSkippedFromAnIndex(String wire, int from, int expected) {
        assertThat(Ascii.skipSpaces(wire.getBytes(US_ASCII), from)).isEqualTo(expected);
    }

    /** The bytes that match, in the order of their unsigned values, as Latin-1. */
    private static String allThat(Predicate<Byte> test) {
        StringBuilder found = new StringBuilder();
        for (int value = 0; value < 256; value++) {
            if (test.test((byte) value)) {
                found.append(new String(new byte[] {(byte) value}, ISO_8859_1));
            }
        }
        return found.toString();
    }

    @ParameterizedTest
    @CsvSource({"aZ9-b, 0, 5, 3", "-a, 0, 2, 0", "abc, 0, 2, 2", "abc, 3, 3, 3", "\u00e4b, 0, 2, 0"})
    void aWordEndsBeforeAnythingButLettersAndDigits(String text, int from, int end, int expected) {
        assertThat(Ascii.wordEnd(text.getBytes(ISO_8859_1), from, end)).isEqualTo(expected);
    }
}
