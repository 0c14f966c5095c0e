package dev.parley.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Characters that people cannot see. */
class CodePointsTest {

    /** A hyphen stands for each hidden character, a letter is itself. */
    private static String marked(String text) {
        StringBuilder marked = new StringBuilder();
        for (int at = 0; at < text.length(); at = text.offsetByCodePoints(at, 1)) {
            if (CodePoints.isHidden(text, at)) {
                marked.append('-');
            } else {
                marked.appendCodePoint(text.codePointAt(at));
            }
        }
        return marked.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000",
                "\u007f",
                "\u009b",
                "\u00ad",
                "\u034f",
                "\u061c",
                "\u115f",
                "\u1160",
                "\u17b4",
                "\u180b",
                "\u180e",
                "\u180f",
                "\u200b",
                "\u200d",
                "\u2028",
                "\u202e",
                "\u2065",
                "\u2066",
                "\u2800",
                "\u3164",
                "\ufe00",
                "\ufe0e",
                "\ufe0f",
                "\ufeff",
                "\uffa0",
                "\ufff0",
                "\ue000",
                "\ud800",
                "\udc00",
                "\udb40\udc41",
                "\udb40\udd00",
                "\ud834\udd73"
            })
    void aCharacterThatShowsNothingIsHidden(String character) {
        assertThat(marked(character)).isEqualTo("-");
        assertThat(marked("A" + character)).isEqualTo("A-");
        assertThat(marked("A" + character + "B")).isEqualTo("A-B");
        assertThat(CodePoints.isVisible(character.codePointAt(0))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Planner-1 über 语言 Ж ا",
                "e\u0301",
                "x y  z ",
                "\u00AB\u00A0Bonjour\u00A0\u00BB",
                "10\u202F%",
                "\u3000これ",
                "+1 → ✓ ── ⠿",
                "❤️ ❤ ☎︎ ‼️ ©️",
                "1️⃣ #️⃣",
                "👍🏽",
                "🧑‍🚀",
                "👩🏽‍🚀",
                "❤️‍🔥",
                "👨‍👩‍👧‍👦",
                "🏳️‍🌈",
                "🇩🇪",
                "\ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc73\udb40\udc63\udb40\udc74\udb40\udc7f"
            })
    void lettersSymbolsAndEmojiAreShown(String text) {
        assertThat(marked(text)).isEqualTo(text);
    }

    @Test
    void whatBelongsToEmojiIsHiddenElsewhere() {
        assertThat(marked("A\ufe0f 1\ufe0f →\ufe0f")).isEqualTo("A- 1- →-");
        assertThat(marked("🚀\ufe0f\ufe0f")).isEqualTo("🚀\ufe0f-");
        assertThat(marked("🚀\u200d")).isEqualTo("🚀-");
        assertThat(marked("\u200d🚀")).isEqualTo("-🚀");
        assertThat(marked("🚀\u200d\u200d🚀")).isEqualTo("🚀--🚀");
        assertThat(marked("🚀\u200dA")).isEqualTo("🚀-A");
        assertThat(marked("a\u200db")).isEqualTo("a-b");
        String tags = "\udb40\udc67\udb40\udc62";
        assertThat(marked(tags + "\udb40\udc7f")).isEqualTo("---");
        assertThat(marked("\ud83c\udff4" + tags)).isEqualTo("\ud83c\udff4--");
        assertThat(marked("\ud83c\udff4" + tags.repeat(4) + "\udb40\udc7f"))
                .as("a message in tags is no region")
                .isEqualTo("\ud83c\udff4" + "-".repeat(9));
    }

    @Test
    void aSpaceIsHiddenWhereItLooksLikeNoneOrOne() {
        assertThat(marked("\u2003")).isEqualTo("-");
        assertThat(marked("A\u00a0")).isEqualTo("A-");
        assertThat(marked("\u00a0A")).isEqualTo("-A");
        assertThat(marked("A \u00a0B")).isEqualTo("A -B");
        assertThat(marked("A\u00a0\u00a0B")).isEqualTo("A--B");
        assertThat(marked("A\u00a0B")).isEqualTo("A\u00a0B");
    }

    @Test
    void timeIsLinear() {
        for (String text : new String[] {"🚀\u200d", "\ud83c\udff4\udb40\udc67", "\u00a0", "\ufe0f", "\ud83c\udff4"}) {
            String many = text.repeat(200_000);
            assertTimeout(Duration.ofSeconds(5), () -> marked(many));
        }
    }
}
