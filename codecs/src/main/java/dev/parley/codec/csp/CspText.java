package dev.parley.codec.csp;

import dev.parley.codec.Utf8;

/** Checks that a text of a record can stand where the encoder is about to write it, and would read back the same. */
final class CspText {

    private CspText() {}

    /**
     * Refuses a record.
     *
     * @throws IllegalArgumentException when the condition does not hold, naming the field
     */
    static void require(boolean condition, String field, String complaint) {
        if (!condition) {
            throw new IllegalArgumentException("CSP/1 cannot say this: " + field + " " + complaint);
        }
    }

    /** Refuses a record as {@link #require(boolean, String, String)} does; the complaint, which names something, is put together only then. */
    static void require(boolean condition, String field, String before, Object name, String after) {
        if (!condition) {
            require(false, field, before + name + after);
        }
    }

    /** A value on one line, possibly empty. */
    static String line(String field, String text) {
        requireNone(field, text, '\n', "has a line feed");
        return value(field, text, false);
    }

    /** One word. */
    static String word(String field, String text) {
        require(!text.isEmpty(), field, "is empty");
        requireNone(field, text, ' ', "is not one word: it has a blank");
        return line(field, text);
    }

    /** The value of a definition: on one line, not empty; blanks at its start are part of it. */
    static String definition(String field, String text) {
        requireNone(field, text, '\n', "has a line feed");
        lines(field, text, false, false);
        return text;
    }

    /** A value that may go on over several lines. */
    static String value(String field, String text, boolean inPatch) {
        require(text.isEmpty() || text.charAt(0) != ' ', field, "starts with a blank");
        require(!text.endsWith("\n"), field, "ends with a line feed");
        lines(field, text, true, inPatch);
        return text;
    }

    /** A value that runs to the end of the message. */
    static String data(String field, String text) {
        requireText(field, text);
        require(text.isEmpty() || text.charAt(0) != ' ', field, "starts with a blank");
        require(text.isEmpty() || " \n".indexOf(text.charAt(text.length() - 1)) < 0, field, "ends with white space");
        requireNone(field, text, '\t', "has a tab");
        requireNone(field, text, '\r', "has a carriage return");
        return text;
    }

    /** The lines of a heredoc. */
    static String content(String field, String text) {
        requireText(field, text);
        for (int start = 0; start <= text.length(); start = lineEnd(text, start) + 1) {
            int end = lineEnd(text, start);
            while (end > start && text.charAt(end - 1) == '\r') {
                end--;
            }
            requireNot(end - start == 3 && text.startsWith(">>>", start), field, "has a line >>>", start);
        }
        return text;
    }

    /** Whether a text is an upper-case word of the form of a key. */
    static boolean isKey(String text) {
        return !text.isEmpty() && keyEnd(text, 0, text.length()) == text.length();
    }

    private static void lines(String field, String text, boolean continues, boolean inPatch) {
        requireText(field, text);
        requireNone(field, text, '\t', "has a tab");
        requireNone(field, text, '\r', "has a carriage return");
        for (int start = 0; start <= text.length(); start = lineEnd(text, start) + 1) {
            int end = lineEnd(text, start);
            if (end == start) {
                continue;
            }
            requireNot(text.charAt(end - 1) == ' ', field, "has white space at the end of a line", end - 1);
            if (continues && start > 0) {
                requireNot(keyEnd(text, start, end) >= 0, field, "has a line that would read as a key", start);
                requireNot(
                        inPatch && "+~-".indexOf(text.charAt(start)) >= 0,
                        field,
                        "has a line that would read as an operation",
                        start);
            }
        }
    }

    /** Index after the key that a line starts with, or -1. */
    private static int keyEnd(String text, int start, int end) {
        if (text.charAt(start) < 'A' || text.charAt(start) > 'Z') {
            return -1;
        }
        int at = start + 1;
        while (at < end && CspBytes.isKeyByte(text.charAt(at))) {
            at++;
        }
        return at == end || text.charAt(at) == ' ' ? at : -1;
    }

    private static int lineEnd(String text, int start) {
        int end = text.indexOf('\n', start);
        return end < 0 ? text.length() : end;
    }

    private static void requireText(String field, String text) {
        int bad = Utf8.firstLoneSurrogate(text);
        requireNot(bad >= 0, field, "has half a surrogate pair", bad);
    }

    private static void requireNone(String field, String text, char forbidden, String complaint) {
        int at = text.indexOf(forbidden);
        requireNot(at >= 0, field, complaint, at);
    }

    private static void requireNot(boolean wrong, String field, String complaint, int at) {
        if (wrong) {
            throw new IllegalArgumentException(
                    "CSP/1 cannot say this: " + field + " " + complaint + ", at character " + at);
        }
    }
}
