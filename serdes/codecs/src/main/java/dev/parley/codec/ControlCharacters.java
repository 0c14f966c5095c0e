package dev.parley.codec;

import java.util.HexFormat;
import java.util.function.IntPredicate;

/**
 * Escapes characters that could forge log lines: control characters, line separators, and marks that hide text or
 * change its direction. Agents and HTTP clients can put them into names.
 */
public final class ControlCharacters {

    private ControlCharacters() {}

    /** Replaces such characters by {@code \}{@code uXXXX}; returns most strings unchanged. */
    public static String escape(String text) {
        return escape(text, ControlCharacters::isUnsafe, HexFormat.of());
    }

    /** Escapes like {@link #escape}, but keeps line feeds and tabs. */
    public static String escapeLines(String text) {
        return escape(text, c -> c != '\n' && c != '\t' && isUnsafe(c), HexFormat.of());
    }

    /** Replaces unsafe UTF-16 units by escapes with these digits. Returns the same string if there is none. */
    static String escape(String text, IntPredicate unsafe, HexFormat digits) {
        if (text.chars().noneMatch(unsafe)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (char c : text.toCharArray()) {
            if (unsafe.test(c)) {
                escaped.append("\\u").append(digits.toHexDigits(c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /**
     * Whether it is an ISO control character, a line or paragraph separator, or a format character such as a
     * bidirectional mark.
     */
    private static boolean isUnsafe(int c) {
        if (c < 0x7F) {
            return c < ' ';
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
