package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.codec.Utf8;
import dev.parley.codec.csp.CspWords;
import dev.parley.decode.ClaimedNames;

/**
 * Reads the sender of a malformed message: the value of its first line FROM, in any case, indented, quoted or
 * emphasized as in Markdown, or with a colon or any white space. Lines may also end with {@code \r} or with an escape,
 * and the value ends before a bar or TO on its line unless TO has a line of its own; in a JSON object, it is a string.
 */
final class CspClaims {
    private static final String NAME = "CSP/";
    private static final String KEY = "FROM";
    private static final String RECIPIENT = "TO";
    private static final String SEPARATORS = " \t\r:=*_`";

    private CspClaims() {}

    static ClaimedNames of(byte[] wire) {
        int end = ClaimedNames.end(wire);
        int first = Ascii.skipSpaces(wire, Utf8.startsWithMark(wire) ? Utf8.MARK_LENGTH : 0);
        if (first < end && wire[first] == '{') {
            return inObject(wire, first, end);
        }
        int at = start(wire, first, end);
        int onFirst = onFirstLine(wire, at, end);
        if (onFirst >= 0) {
            return named(wire, onFirst, valueEnd(wire, onFirst, lineEnd(wire, at, end)));
        }
        int value = valueOf(wire, at, end, KEY);
        if (value < 0) {
            return ClaimedNames.NONE;
        }
        int lineEnd = lineEnd(wire, value, end);
        boolean hasRecipient = valueOf(wire, afterLine(wire, lineEnd), end, RECIPIENT) >= 0;
        return named(wire, value, hasRecipient ? lineEnd : valueEnd(wire, value, lineEnd));
    }

    /** Returns the index of the value in the first line with a key; -1 if no line has it. */
    private static int valueOf(byte[] wire, int from, int end, String key) {
        int value = -1;
        int at = from;
        while (value < 0 && at < end) {
            int lineEnd = lineEnd(wire, at, end);
            value = afterKey(wire, at, lineEnd, key);
            at = afterLine(wire, lineEnd);
        }
        return value;
    }

    private static ClaimedNames named(byte[] wire, int value, int end) {
        int to = Ascii.skipBack(wire, value, end, CspWords::isBlank);
        return to == value
                ? ClaimedNames.NONE
                : new ClaimedNames(null, new String(wire, value, to - value, UTF_8), null);
    }

    /** Reads the first key "from" whose value is a string without escapes. */
    private static ClaimedNames inObject(byte[] wire, int from, int end) {
        int at = from;
        while (at < end) {
            if (wire[at] != '"') {
                at++;
                continue;
            }
            int after = Ascii.afterString(wire, at, end);
            boolean key = after - at == KEY.length() + 2 && Ascii.startsWithLetters(wire, at + 1, KEY);
            int colon = Ascii.skipSpaces(wire, after);
            int quote = colon < end && wire[colon] == ':' ? Ascii.skipSpaces(wire, colon + 1) : end;
            at = after;
            if (key && quote < end && wire[quote] == '"') {
                int close = Ascii.afterString(wire, quote, end) - 1;
                boolean plain = close > quote && wire[close] == '"';
                for (int i = quote; i < close; i++) {
                    plain &= wire[i] != '\\';
                }
                return plain ? named(wire, quote + 1, close) : ClaimedNames.NONE;
            }
        }
        return ClaimedNames.NONE;
    }

    /** Returns the index of the value of a key FROM on the line of the protocol's name; -1 without one. */
    private static int onFirstLine(byte[] wire, int name, int end) {
        if (!Ascii.startsWith(wire, name, NAME)) {
            return -1;
        }
        int lineEnd = lineEnd(wire, name, end);
        for (int at = name + NAME.length(); at < lineEnd; at++) {
            int key = at + (wire[at] == ' ' || wire[at] == '|' ? 1 : CspWords.otherSpace(wire, at));
            if (key > at && Ascii.startsWith(wire, key, KEY + ' ')) {
                return key + KEY.length() + 1;
            }
        }
        return -1;
    }

    private static int valueEnd(byte[] wire, int value, int lineEnd) {
        int at = value;
        while (at < lineEnd && wire[at] != '|' && !isRecipient(wire, at, lineEnd)) {
            at++;
        }
        boolean isCut = at < lineEnd && at > value;
        return isCut && (wire[at - 1] == ',' || wire[at - 1] == ';') ? at - 1 : at;
    }

    /** Whether white space and the key TO are here. */
    private static boolean isRecipient(byte[] wire, int at, int lineEnd) {
        int key = at + (CspWords.isBlank(wire[at]) ? 1 : CspWords.otherSpace(wire, at));
        int after = key + RECIPIENT.length();
        return key > at
                && after <= lineEnd
                && Ascii.startsWithLetters(wire, key, RECIPIENT)
                && (after == lineEnd || separator(wire, after) > 0);
    }

    /** Number of bytes of a separator at an index; 0 if there is none. */
    private static int separator(byte[] wire, int at) {
        return SEPARATORS.indexOf(wire[at]) >= 0 ? 1 : CspWords.otherSpace(wire, at);
    }

    /**
     * Returns the index of the protocol's name, because prose before it may begin with "from"; the first without it.
     */
    private static int start(byte[] wire, int first, int end) {
        int at = Ascii.find(wire, first, end, NAME);
        return at < end ? at : first;
    }

    /** Returns the index of a line feed, a carriage return or an escape of them; the end without one. */
    private static int lineEnd(byte[] wire, int from, int end) {
        int at = from;
        while (at < end && wire[at] != '\n' && wire[at] != '\r' && !isEscape(wire, at)) {
            at++;
        }
        return at;
    }

    private static boolean isEscape(byte[] wire, int at) {
        return Ascii.startsWith(wire, at, "\\n") || Ascii.startsWith(wire, at, "\\r");
    }

    private static int afterLine(byte[] wire, int lineEnd) {
        return lineEnd < wire.length && wire[lineEnd] == '\\' ? lineEnd + 2 : lineEnd + 1;
    }

    /** Returns the index of the value of a key on a line; -1 if the line has another key. */
    private static int afterKey(byte[] wire, int start, int lineEnd, String key) {
        int at = CspAttempt.afterMarks(wire, start, lineEnd);
        int after = at + key.length();
        if (after >= lineEnd || !Ascii.startsWithLetters(wire, at, key) || separator(wire, after) == 0) {
            return -1;
        }
        while (after < lineEnd && separator(wire, after) > 0) {
            after += separator(wire, after);
        }
        return Math.min(after, lineEnd);
    }
}
