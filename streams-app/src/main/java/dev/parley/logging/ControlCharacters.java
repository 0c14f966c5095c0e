package dev.parley.logging;

/**
 * Escapes characters that change how a line is read: control characters and line separators, which end lines and command terminals, and marks that hide text or turn
 * its direction. Names that agents and HTTP clients choose have them.
 */
public final class ControlCharacters {

    private static final String HEX = "0123456789abcdef";

    private ControlCharacters() {}

    /** The text with such characters as {@code \}{@code uXXXX}; most texts are their own result. */
    public static String escape(String text) {
        int first = 0;
        while (first < text.length() && !isUnsafe(text.charAt(first))) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isUnsafe(c)) {
                escaped.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    escaped.append(HEX.charAt((c >> shift) & 15));
                }
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** The same for a text of several lines, of which line feeds and tabs stay. */
    public static String escapeLines(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == '\n' || text.charAt(i) == '\t') {
                escaped.append(escape(text.substring(from, i)));
                if (i < text.length()) {
                    escaped.append(text.charAt(i));
                }
                from = i + 1;
            }
        }
        return escaped.toString();
    }

    /** ISO control characters, line and paragraph separators, and format characters: bidirectional marks, zero-width ones, soft hyphens. */
    private static boolean isUnsafe(char c) {
        if (c < 0x7F) {
            return c < ' ';
        }
        if (Character.isSurrogate(c)) {
            return false;
        }
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
