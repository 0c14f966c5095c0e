package dev.parley.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.encoding.CodePoints;
import java.util.HexFormat;

/** Makes short one-line excerpts of messages and headers for human-readable sentences. */
public final class Excerpt {
    private static final int MAX_CHARACTERS = 100;
    /** Maximum length of a detail, in characters. */
    public static final int MAX_DETAIL_CHARACTERS = 1_000;

    private static final int MAX_CHARACTER_BYTES = 4;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Excerpt() {}

    /** An excerpt of at most 100 characters; see {@link #of(String, int)}. */
    public static String of(String text) {
        return of(text, MAX_CHARACTERS);
    }

    /**
     * Truncates a detail to {@value #MAX_DETAIL_CHARACTERS} characters on one line, because records and headers contain
     * it. Null stays null.
     */
    public static String detail(String sentence) {
        return sentence == null ? null : of(sentence, MAX_DETAIL_CHARACTERS);
    }

    /**
     * Truncates a text at a whole character.
     *
     * @param text any text; null stays null
     * @param max maximum number of UTF-16 units, including the "…" at the end of a longer text
     */
    public static String cut(String text, int max) {
        if (text == null || text.length() <= max) {
            return text;
        }
        int end = Math.max(0, max - 1);
        return text.substring(0, splitsCharacter(text, end) ? end - 1 : end) + "…";
    }

    private static boolean splitsCharacter(String text, int end) {
        return end > 0 && end < text.length() && Character.isSurrogatePair(text.charAt(end - 1), text.charAt(end));
    }

    /**
     * An excerpt on one line.
     *
     * @param text any text; returned unchanged if it is short and has no hidden characters
     * @param max maximum number of characters; "…" marks an omission
     * @return the text with hidden characters as escapes of the form {@code \}{@code u000A}
     */
    public static String of(String text, int max) {
        int end = Math.min(text.length(), max);
        String excerpt =
                ControlCharacters.escape(text.substring(0, splitsCharacter(text, end) ? end - 1 : end), "", HEX);
        return end < text.length() ? excerpt + '…' : excerpt;
    }

    /**
     * The character at an index of a message: in quotes, or as its code point, such as U+00A0, if it is invisible.
     *
     * @param utf8 the message, which has a character at the index
     */
    public static String character(byte[] utf8, int from) {
        int character = new String(utf8, from, Math.min(MAX_CHARACTER_BYTES, utf8.length - from), UTF_8).codePointAt(0);
        return CodePoints.isVisible(character)
                ? '\'' + Character.toString(character) + '\''
                : String.format("U+%04X", character);
    }

    /** A text without the period at its end, to continue the sentence. */
    public static String withoutPeriod(String text) {
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }
}
