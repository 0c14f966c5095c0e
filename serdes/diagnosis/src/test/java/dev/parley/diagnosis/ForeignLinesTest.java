package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.decode.WireProtocols;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A line that starts a message of another protocol is not part of a message without an end mark. */
class ForeignLinesTest {
    private static final String FIRST = "CSP/1 and a line\n";
    private static final String PACKET = "{\"type\":\"STATE\",\n\"payload\":\"000110\"}";

    private static int first(String text) {
        return ForeignLines.first(text.getBytes(UTF_8), WireProtocols.CSP, WireProtocols.STANDARD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"@a3|f0", PACKET, "!Ik/co", "?Uc/la", "~X:b", ".Uf/X", "@A1: !Ik", "!Ik/co\nmore", "!a{b:c}"})
    void aMessageStartsOnItsLine(String message) {
        for (String before : new String[] {"", "\n", "a/b\n", "  !Ik/co\n", "- !Ik/co\n", "!important: a/b c\n"}) {
            assertThat(first(FIRST + before + message)).as(before).isEqualTo(FIRST.length() + before.length());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "!Ik",
                " !Ik/co",
                "- !Ik/co",
                "> !Ik/co",
                ">Ig/U",
                "#x/y",
                "[a,b]",
                "{ns:code}!Ik/co",
                "{\"a\":1}",
                "@bob/team: please review",
                "CSP/1\nFROM A"
            })
    void anotherLineBelongsToTheMessage(String line) {
        assertThat(first(FIRST + line)).isEqualTo(-1);
        assertThat(first(FIRST + line + "\n")).isEqualTo(-1);
    }

    @Test
    void theFirstLineIsThatOfTheMessage() {
        assertThat(first("!Ik/co\nx")).isEqualTo(-1);
        assertThat(first("!Ik/co")).isEqualTo(-1);
    }

    @Test
    void aMessageOfTheSameProtocolIsNotForeign() {
        byte[] text = "x\n!Ik/co".getBytes(UTF_8);
        assertThat(ForeignLines.first(text, WireProtocols.LAMBDA, WireProtocols.STANDARD))
                .isEqualTo(-1);
        assertThat(ForeignLines.first(text, WireProtocols.SLIP, WireProtocols.STANDARD))
                .isEqualTo(2);
    }

    @Test
    void onlyTheFirstObjectsAreRead() {
        String object = "{\"a\":1}\n";
        assertThat(first(FIRST + object.repeat(7) + PACKET)).isEqualTo(FIRST.length() + 7 * object.length());
        assertThat(first(FIRST + object.repeat(8) + PACKET)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "!a/b, 0, 4, true",
        "!a/b, 0, 3, true",
        "!a/b, 0, 2, false",
        "!a/b, 1, 4, true",
        "!a/b, 2, 4, false",
        "!a{, 0, 3, true",
        "!a[, 0, 3, true",
        "!a:, 0, 3, true",
        "!a=, 0, 3, true",
        "!a^, 0, 3, true",
        "!a$, 0, 3, true",
        "!a|, 0, 3, true",
        "!a b, 0, 4, false",
        ".A/b, 0, 4, true",
        ".a/b, 0, 4, false",
        "./b:c, 0, 5, false",
        ".A, 0, 1, false",
        "?A=b, 0, 4, true",
        "?a=b, 0, 4, false",
        "?a=b/c, 0, 6, true",
        "@A/b, 0, 4, true",
        "@a/b, 0, 4, false",
        "@v0.6 !a/b, 0, 10, true",
        "@a: !b, 0, 6, true",
        "A: !b, 0, 5, false",
        "A: !b/c, 0, 7, true",
        "A:!b, 0, 4, true",
        "A: , 0, 2, true"
    })
    void aSymbolThatJoinsWordsIsCertain(String text, int from, int to, boolean certain) {
        assertThat(ForeignLines.isCertain(text.getBytes(UTF_8), from, to)).isEqualTo(certain);
    }
}
