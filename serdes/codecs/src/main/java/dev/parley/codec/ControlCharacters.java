package dev.parley.codec;

import dev.parley.encoding.CodePoints;
import java.util.HexFormat;

/**
 * Escapes characters that could forge log lines, or hide a difference between names: control characters, line
 * separators, and those that show nothing or change their surroundings. Agents and HTTP clients can put them into
 * names.
 */
public final class ControlCharacters {

    private ControlCharacters() {}

    /** Whether a text contains a control character of ISO/IEC 6429. */
    public static boolean isIn(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Replaces the UTF-16 units of such characters by {@code \}{@code uXXXX}; returns most strings unchanged. */
    public static String escape(String text) {
        return escape(text, "", HexFormat.of());
    }

    /** Escapes like {@link #escape}, but keeps line feeds and tabs. */
    public static String escapeLines(String text) {
        return escape(text, "\n\t", HexFormat.of());
    }

    /** Escapes with these digits all hidden characters but the kept ones. Returns the same string if there is none. */
    static String escape(String text, String kept, HexFormat digits) {
        StringBuilder escaped = null;
        int from = 0;
        for (int at = 0; at < text.length(); ) {
            int end = text.offsetByCodePoints(at, 1);
            if (CodePoints.isHidden(text, at) && kept.indexOf(text.charAt(at)) < 0) {
                escaped = escaped == null ? new StringBuilder(text.length() + 16) : escaped;
                escaped.append(text, from, at);
                for (int unit = at; unit < end; unit++) {
                    escaped.append("\\u").append(digits.toHexDigits(text.charAt(unit)));
                }
                from = end;
            }
            at = end;
        }
        return escaped == null
                ? text
                : escaped.append(text, from, text.length()).toString();
    }
}
