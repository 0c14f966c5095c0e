package dev.parley.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExcerptTest {

    @Test
    void aShortLineIsItsOwnExcerpt() {
        String text = "Λ \"é\" \uD83D\uDE00";
        assertThat(Excerpt.of(text)).isSameAs(text);
        assertThat(Excerpt.of("")).isEmpty();
        assertThat(Excerpt.of("x".repeat(100))).isEqualTo("x".repeat(100));
    }

    @Test
    void hiddenCharactersAreEscaped() {
        assertThat(Excerpt.of("a\nb\u0000\u007F\u009Fc")).isEqualTo("a\\u000Ab\\u0000\\u007F\\u009Fc");
        assertThat(Excerpt.of("A\u3164B\u2800\u202E\uDB40\uDC41")).isEqualTo("A\\u3164B\\u2800\\u202E\\uDB40\\uDC41");
        assertThat(Excerpt.of("🧑\u200D🚀")).isEqualTo("🧑\u200D🚀");
    }

    @Test
    void aLongTextIsCut() {
        assertThat(Excerpt.of("x".repeat(101))).isEqualTo("x".repeat(100) + "…");
        assertThat(Excerpt.of("\n".repeat(1_000_000))).hasSize(601).endsWith("\\u000A…");
    }

    @Test
    void theCallerMaySetTheLength() {
        assertThat(Excerpt.of("abc", 2)).isEqualTo("ab…");
        assertThat(Excerpt.of("abc", 3)).isEqualTo("abc");
        assertThat(Excerpt.of("abc", 0)).isEqualTo("…");
    }

    @Test
    void noCharacterIsCutInTwo() {
        assertThat(Excerpt.of("x".repeat(99) + "\uD83D\uDE00" + "y")).isEqualTo("x".repeat(99) + "…");
        assertThat(Excerpt.of("x".repeat(98) + "\uD83D\uDE00" + "y")).isEqualTo("x".repeat(98) + "\uD83D\uDE00…");
    }

    @Test
    void aCutTextHasAtMostTheMaximumAndWholeCharacters() {
        assertThat(Excerpt.cut("abc", 3)).isEqualTo("abc");
        assertThat(Excerpt.cut("abcd", 3)).isEqualTo("ab…");
        assertThat(Excerpt.cut("a\uD83D\uDE00b", 3)).isEqualTo("a…");
        assertThat(Excerpt.cut("a\uD83D\uDE00b", 4)).isEqualTo("a\uD83D\uDE00b");
        assertThat(Excerpt.cut("a\uD83D\uDE00bc", 4)).isEqualTo("a\uD83D\uDE00…");
        assertThat(Excerpt.cut("a\nb", 3)).isEqualTo("a\nb");
        assertThat(Excerpt.cut(null, 3)).isNull();
    }

    @Test
    void aTextThatIsNotCutKeepsItsLastCharacter() {
        assertThat(Excerpt.of("\n\uD83D")).isEqualTo("\\u000A\\uD83D");
    }

    @Test
    void aDetailHasAtMostAThousandCharactersOnOneLine() {
        String longest = "x".repeat(1_000);
        assertThat(Excerpt.detail(longest)).isEqualTo(longest);
        assertThat(Excerpt.detail(longest + "x")).isEqualTo(longest + "…");
        assertThat(Excerpt.detail("a\tb")).isEqualTo("a\\u0009b");
        assertThat(Excerpt.detail(null)).isNull();
    }

    @Test
    void anInvisibleCharacterIsNamedByItsCodePoint() {
        assertThat(Excerpt.character("aé\uD83D\uDE00".getBytes(UTF_8), 0)).isEqualTo("'a'");
        assertThat(Excerpt.character("aéb".getBytes(UTF_8), 1)).isEqualTo("'é'");
        assertThat(Excerpt.character("\uD83D\uDE00b".getBytes(UTF_8), 0)).isEqualTo("'\uD83D\uDE00'");
        assertThat(Excerpt.character("\u00A0b".getBytes(UTF_8), 0)).isEqualTo("U+00A0");
        assertThat(Excerpt.character("\u200B".getBytes(UTF_8), 0)).isEqualTo("U+200B");
        assertThat(Excerpt.character("\r\n".getBytes(UTF_8), 0)).isEqualTo("U+000D");
    }

    @Test
    void aSentenceThatContinuesHasNoPeriod() {
        assertThat(Excerpt.withoutPeriod("No broker.")).isEqualTo("No broker");
        assertThat(Excerpt.withoutPeriod("No broker")).isEqualTo("No broker");
        assertThat(Excerpt.withoutPeriod("")).isEmpty();
    }
}
