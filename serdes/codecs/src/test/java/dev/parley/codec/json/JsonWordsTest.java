package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonWordsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "7",
                "10",
                "-0",
                "-19",
                "0.5",
                "10.25",
                "1e5",
                "1E5",
                "1e+5",
                "1e-05",
                "-1.5E-10",
                "true",
                "false",
                "null"
            })
    void aValueEndsAtItsEnd(String value) {
        for (String after : new String[] {"", ",", "}", " ", "\n", "\""}) {
            byte[] wire = ("x" + value + after).getBytes(US_ASCII);
            assertThat(JsonWords.end(wire, 1)).as(value + after).isEqualTo(1 + value.length());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-",
                "+1",
                "01",
                "-01",
                "00",
                ".5",
                "1.",
                "1.e5",
                "1e",
                "1e+",
                "1e-",
                "1e5.",
                "1a",
                "1A",
                "1z",
                "1Z",
                "1-",
                "1+",
                "0x1",
                "1.2.3",
                "t",
                "tru",
                "trux",
                "truE",
                "true1",
                "trueX",
                "true.",
                "fals",
                "falsy",
                "nul",
                "nil",
                "nulL",
                "null-",
                "NaN",
                "-Infinity"
            })
    void anInvalidValueHasNoEnd(String value) {
        for (String after : new String[] {"", ",", "}"}) {
            assertThat(JsonWords.end((value + after).getBytes(US_ASCII), 0))
                    .as(value + after)
                    .isNegative();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "01", "007"})
    void digitsWithAnExtraZeroAreRecognized(String padded) {
        assertThat(JsonWords.afterPadded((padded + ",").getBytes(US_ASCII), 0)).isEqualTo(padded.length());
        assertThat(JsonWords.afterPadded((padded + "x").getBytes(US_ASCII), 0)).isNegative();
        assertThat(JsonWords.afterPadded((padded + ".5").getBytes(US_ASCII), 0)).isNegative();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "10", "-01", "x", ""})
    void aNumberWithoutAnExtraZeroIsNotPadded(String word) {
        assertThat(JsonWords.afterPadded(word.getBytes(US_ASCII), 0)).isNegative();
    }
}
