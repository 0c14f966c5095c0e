package dev.parley.dialogue.csp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.dialogue.CspNames;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CspNamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"C0", "C9", "C10", "C007", "C99999999999999999999999"})
    void aCheckpointIsALetterCAndDigits(String text) {
        assertThat(CspNames.isCheckpoint(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "C", "c1", "B1", "1", "C1a", "Ca1", "C-1", "C/", "C:", "C1/", "C1:", "C1 ", " C1", "C١"})
    void nothingElseIsOne(String text) {
        assertThat(CspNames.isCheckpoint(text)).isFalse();
    }

    @ParameterizedTest(name = "{0}, {1} → {2}")
    @CsvSource(textBlock = """
            C0,    C1,     true
            C1,    C1,     false
            C2,    C1,     false
            C1,    C3,     false
            C9,    C10,    true
            C9,    C0,     false
            C9,    C00,    false
            C9,    C20,    false
            C9,    C110,   false
            C10,   C1,     false
            C99,   C100,   true
            C99,   C000,   false
            C99,   C1000,  false
            C19,   C20,    true
            C19,   C30,    false
            C129,  C130,   true
            C129,  C230,   false
            C12,   C113,   false
            C112,  C13,    false
            C007,  C8,     true
            C7,    C0008,  true
            C0099, C100,   true
            C99,   C00100, true
            C99999999999999999999, C100000000000000000000, true
            C99999999999999999999, C100000000000000000001, false
            """)
    void theNextCheckpointHasTheNextNumber(String base, String target, boolean expected) {
        assertThat(CspNames.isNext(base, target)).isEqualTo(expected);
    }

    @Test
    void theNextNumberIsFoundWhateverTheLength() {
        IntStream.range(0, 1_200).forEach(n -> {
            for (int m : new int[] {n - 1, n, n + 1, n + 2, n + 10, n + 100, 0}) {
                if (m >= 0) {
                    assertThat(CspNames.isNext("C" + n, "C" + m))
                            .as("C%s, C%s", n, m)
                            .isEqualTo(m == n + 1);
                    assertThat(CspNames.isNext("C00" + n, "C0" + m)).isEqualTo(m == n + 1);
                }
            }
        });
    }

    @ParameterizedTest(name = "\"{0}\" lists \"{1}\": {2}")
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "A,A,true",
                "A,B,false",
                "AB,A,false",
                "A,AB,false",
                "'A,B,C',A,true",
                "'A,B,C',B,true",
                "'A,B,C',C,true",
                "'A,B,C',D,false",
                "'A,B,C','A,B',false",
                "' A , B ',A,true",
                "' A , B ',B,true",
                "'\tA\n,\rB\t',A,true",
                "'\tA\n,\rB\t',B,true",
                "'A\n',A,true",
                "'\rA\r',A,true",
                "'A B',A,false",
                "'A B',B,false",
                "'xAx,xBx',A,false",
                "',A',A,true",
                "'A,','',true",
                "'A','',false",
                "'A,,B','',true",
            })
    void aMemberIsWhatStandsBetweenCommasWithoutTheBlanksAroundIt(String list, String name, boolean expected) {
        assertThat(CspNames.lists(list, name)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "Z", "SRC", "AA", "AZ", "A0", "A9", "A_", "A_0Z9"})
    void aDefinitionsNameIsAnUpperCaseLetterThenLettersDigitsAndUnderscores(String name) {
        assertThat(CspNames.isDefinitionName(name, 0, name.length())).isTrue();
        assertThat(CspNames.isDefinitionName("x, " + name + ",x", 3, 3 + name.length()))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "@", "[", "a", "0", "_", "A@", "A[", "A/", "A:", "A`", "A^", "Aa", "A b", "A-B", "ÄB", "src/"
            })
    void nothingElseIsADefinitionsName(String name) {
        assertThat(CspNames.isDefinitionName(name, 0, name.length())).isFalse();
        assertThat(CspNames.isDefinitionName("A" + name + "A", 1, 1 + name.length()))
                .isFalse();
    }

    @Test
    void aSimilarNameDiffersInCaseOrPunctuation() {
        assertThat(CspNames.similar("C1")).contains("c1", "C1;", "`C1`", "[C1]").doesNotContain("C1", "C2");
        assertThat(CspNames.similar("“c1”")).contains("c1", "C1", "c1.");
        assertThat(CspNames.similar("")).doesNotContain("");
    }
}
