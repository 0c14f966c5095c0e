package dev.parley.gloss;

import static dev.parley.gloss.Examples.gloss;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SentenceTest {

    @Test
    void aSentenceOfTheMaximumLengthIsWhole() {
        String whole = "x".repeat(Sentence.MAX_CODE_POINTS);
        assertThat(new Sentence().add(whole)).hasToString(whole);
        assertThat(new Sentence().add(whole + "y")).hasToString(whole.substring(1) + "…");
    }

    @Test
    void lengthsAreCodePoints() {
        String face = "😀";
        String sentence = new Sentence().add(face.repeat(400)).toString();
        assertThat(sentence.codePointCount(0, sentence.length())).isEqualTo(Sentence.MAX_CODE_POINTS);
        assertThat(sentence).isEqualTo(face.repeat(Sentence.MAX_CODE_POINTS - 1) + "…");
    }

    @Test
    void aLongValueDoesNotHideWhatFollows() {
        assertThat(new Sentence().value("x".repeat(5_000)).add(" end"))
                .hasToString("x".repeat(Sentence.MAX_VALUE_CODE_POINTS) + "… end");
    }

    @Test
    void controlCharactersLineBreaksBidiControlsAndLoneSurrogatesAreEscaped() {
        assertThat(new Sentence().value("a\n\r\tb\u0007\u001b[31m\u0085\u2028\u2029"))
                .hasToString("a\\n\\r\\tb\\u0007\\u001b[31m\\u0085\\u2028\\u2029");
        assertThat(new Sentence().value("\u202e\u2066\u200f\u061c\ufeff\u00ad"))
                .hasToString("\\u202e\\u2066\\u200f\\u061c\\ufeff\\u00ad");
        assertThat(new Sentence().value("\ud800x\udc00")).hasToString("\\ud800x\\udc00");
        assertThat(new Sentence().value(new String(Character.toChars(0xE0041)))).hasToString("\\udb40\\udc41");
    }

    @Test
    void aBlankCharacterIsEscapedAndAnEmojiIsNot() {
        assertThat(new Sentence().value("A\u3164\u2800\u034f\ufe0f")).hasToString("A\\u3164\\u2800\\u034f\\ufe0f");
        assertThat(new Sentence().value("🧑\u200d🚀 ❤\ufe0f")).hasToString("🧑\u200d🚀 ❤\ufe0f");
    }

    @Test
    void aListNamesSomeAndCountsTheRest() {
        assertThat(new Sentence().values(List.of("a"))).hasToString("a");
        assertThat(new Sentence().values(List.of("a", "b", "c"))).hasToString("a, b and c");
        assertThat(new Sentence().values(List.of("a", "b", "c", "d", "e", "f"))).hasToString("a, b, c, d and 2 more");
    }

    @Test
    void anEmptySentenceIsASentence() {
        assertThat(new Sentence()).hasToString("A message");
    }

    @Test
    void theGlossOfAHostileTagIsOneLine() {
        assertThat(gloss("@a3|f0|c1|S0|d1|T1|k1|t\"x\u202e\u0000\ny\"#")).endsWith("task 1: x\\u202e\\u0000\\ny");
    }
}
