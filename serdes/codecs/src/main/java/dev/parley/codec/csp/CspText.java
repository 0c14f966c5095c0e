package dev.parley.codec.csp;

import dev.parley.codec.Utf8;

/** Checks that a text of a record is valid at its position in the wire form and would decode to the same text. */
final class CspText {

    private CspText() {}

    static IllegalArgumentException refused(String what) {
        return new IllegalArgumentException("CSP/1 cannot represent this: " + what);
    }

    /**
     * Refuses a record.
     *
     * @throws IllegalArgumentException if the condition is false; names the field
     */
    static void require(boolean condition, String field, String complaint) {
        if (!condition) {
            throw refused(field + " " + complaint);
        }
    }

    /**
     * Refuses a record like {@link #require(boolean, String, String)}, but formats the complaint only if needed.
     *
     * @param complaint with %s for the name
     */
    static void require(boolean condition, String field, String complaint, Object name) {
        if (!condition) {
            require(false, field, complaint.replace("%s", name.toString()));
        }
    }

    /** Checks a value on one line, possibly empty. */
    static String line(String field, String text) {
        requireNone(field, text, '\n', "must not contain a line feed");
        return value(field, text);
    }

    /** Checks one word. */
    static String word(String field, String text) {
        require(!text.isEmpty(), field, "must not be empty");
        requireNone(field, text, ' ', "must be one word, without a space");
        return line(field, text);
    }

    /** Checks the value of a definition: one line, not empty; leading spaces are part of it. */
    static String definition(String field, String text) {
        requireNone(field, text, '\n', "must not contain a line feed");
        lines(field, text, false, false);
        return text;
    }

    /** Checks a value of one or several lines. */
    static String value(String field, String text) {
        return value(field, text, false);
    }

    /** Checks a value of one or several lines in a patch, where none of them may read as an operation. */
    static String valueInPatch(String field, String text) {
        return value(field, text, true);
    }

    private static String value(String field, String text, boolean inPatch) {
        require(text.isEmpty() || text.charAt(0) != ' ', field, "must not start with a space");
        require(!text.endsWith("\n"), field, "must not end with a line feed");
        lines(field, text, true, inPatch);
        return text;
    }

    /** Checks a value that extends to the end of the message. */
    static String data(String field, String text) {
        requireLines(field, text);
        require(text.isEmpty() || text.charAt(0) != ' ', field, "must not start with a space");
        require(
                text.isEmpty() || " \n".indexOf(text.charAt(text.length() - 1)) < 0,
                field,
                "must not end with white space");
        return text;
    }

    /** Checks the lines of a heredoc. */
    static String content(String field, String text) {
        requireText(field, text);
        for (int start = 0; start <= text.length(); start = lineEnd(text, start) + 1) {
            int end = lineEnd(text, start);
            while (end > start && text.charAt(end - 1) == '\r') {
                end--;
            }
            requireNot(end - start == 3 && text.startsWith(">>>", start), field, "must not contain a line >>>", start);
        }
        return text;
    }

    /** Whether a text has the form of a key: an upper-case word. */
    static boolean isKey(String text) {
        return !text.isEmpty() && keyEnd(text, 0, text.length()) == text.length();
    }

    private static void lines(String field, String text, boolean continues, boolean inPatch) {
        requireLines(field, text);
        for (int start = 0; start <= text.length(); start = lineEnd(text, start) + 1) {
            int end = lineEnd(text, start);
            if (end == start) {
                continue;
            }
            requireNot(
                    text.charAt(end - 1) == ' ', field, "must not contain white space at the end of a line", end - 1);
            if (continues && start > 0) {
                requireNot(keyEnd(text, start, end) >= 0, field, "must not contain a line that reads as a key", start);
                requireNot(
                        inPatch && "+~-".indexOf(text.charAt(start)) >= 0,
                        field,
                        "must not contain a line that reads as an operation",
                        start);
            }
        }
    }

    /** Index after the key at the start of a line; -1 if there is none. */
    private static int keyEnd(String text, int start, int end) {
        if (text.charAt(start) < 'A' || text.charAt(start) > 'Z') {
            return -1;
        }
        int at = start + 1;
        while (at < end && CspWords.isKeyByte(text.charAt(at))) {
            at++;
        }
        return at == end || text.charAt(at) == ' ' ? at : -1;
    }

    private static int lineEnd(String text, int start) {
        int end = text.indexOf('\n', start);
        return end < 0 ? text.length() : end;
    }

    private static void requireLines(String field, String text) {
        requireText(field, text);
        requireNone(field, text, '\t', "must not contain a tab");
        requireNone(field, text, '\r', "must not contain a carriage return");
    }

    private static void requireText(String field, String text) {
        int bad = Utf8.firstLoneSurrogate(text);
        requireNot(bad >= 0, field, "must not contain an unpaired surrogate", bad);
    }

    private static void requireNone(String field, String text, char forbidden, String complaint) {
        int at = text.indexOf(forbidden);
        requireNot(at >= 0, field, complaint, at);
    }

    private static void requireNot(boolean wrong, String field, String complaint, int at) {
        if (wrong) {
            throw refused(field + " " + complaint + ", at character " + at);
        }
    }
}
