package dev.parley.codec;

import java.util.HexFormat;

/**
 * Escapes characters that could forge log lines: control characters, line separators, and marks that hide text or
 * change its direction. Agents and HTTP clients can put them into names.
 */
public final class ControlCharacters {

    private ControlCharacters() {}

    /** Replaces such characters by {@code \}{@code uXXXX}; returns most strings unchanged. */
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
                escaped.append("\\u").append(HexFormat.of().toHexDigits(c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** Escapes like {@link #escape}, but keeps line feeds and tabs. */
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

    /**
     * Whether it is an ISO control character, a line or paragraph separator, or a format character such as a
     * bidirectional mark.
     */
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
