package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.codec.Utf8;
import dev.parley.codec.csp.CspWords;
import dev.parley.decode.ClaimedNames;
import dev.parley.diagnosis.CspNearMisses.Lines;
import java.util.Arrays;

/**
 * Reads the sender of a malformed message: the value of its first line FROM, in any case, indented, quoted or
 * emphasized as in Markdown, or with a colon or any white space. Lines may also end with {@code \r} or with an escape,
 * and the value ends before a bar or TO on its line unless TO has a line of its own; in a JSON object, it is a string.
 */
final class CspClaims {
    private static final String NAME = "CSP/";
    private static final String KEY = "FROM";
    private static final String QUOTED_KEY = "\"FROM\"";
    private static final String RECIPIENT = "TO";

    private CspClaims() {}

    static ClaimedNames of(byte[] wire) {
        int end = ClaimedNames.end(wire);
        int first = Ascii.skipSpaces(wire, Utf8.startsWithMark(wire) ? Utf8.MARK_LENGTH : 0);
        if (first < end && wire[first] == '{') {
            return inObject(wire, first, end);
        }
        byte[] text = withLineFeeds(wire, end);
        // Prose before the message may begin with "from".
        int name = Ascii.find(text, Math.min(first, end), end, NAME);
        int start = name < end ? name : first;
        int key = Ascii.find(text, name, Ascii.skip(text, name, end, b -> b != '\n'), KEY + ' ');
        if (key > name && key < end && text[key] == KEY.charAt(0) && !Ascii.isAlphanumeric(text[key - 1])) {
            text[key - 1] = '\n';
        }
        Lines lines = new Lines(text, start, null);
        int value = -1;
        while (value < 0 && lines.line()) {
            value = lines.valueOf(KEY);
        }
        if (value < 0) {
            return ClaimedNames.NONE;
        }
        int lineEnd = lines.end;
        boolean hasRecipient = false;
        while (!hasRecipient && lines.line()) {
            hasRecipient = lines.valueOf(RECIPIENT) >= 0;
        }
        return named(text, value, hasRecipient ? lineEnd : valueEnd(text, value, lineEnd));
    }

    /** A copy up to an end with line feeds for carriage returns and for escapes of both. */
    private static byte[] withLineFeeds(byte[] wire, int end) {
        byte[] text = Arrays.copyOf(wire, end);
        for (int at = 0; at < end; at++) {
            if (Ascii.startsWith(text, at, "\\n") || Ascii.startsWith(text, at, "\\r")) {
                text[at] = '\n';
                text[at + 1] = '\n';
            } else if (text[at] == '\r') {
                text[at] = '\n';
            }
        }
        return text;
    }

    private static ClaimedNames named(byte[] wire, int value, int end) {
        int to = Ascii.skipBack(wire, value, end, CspWords::isBlank);
        return to == value
                ? ClaimedNames.NONE
                : new ClaimedNames(null, new String(wire, value, to - value, UTF_8), null);
    }

    /** Reads the first key "from" whose value is a string without escapes. */
    private static ClaimedNames inObject(byte[] wire, int from, int end) {
        for (int at = from; at < end; at++) {
            int colon = Ascii.startsWithLetters(wire, at, QUOTED_KEY)
                    ? Ascii.skipSpaces(wire, at + QUOTED_KEY.length())
                    : end;
            int quote = colon < end && wire[colon] == ':' ? Ascii.skipSpaces(wire, colon + 1) : end;
            if (quote < end && wire[quote] == '"') {
                int close = Ascii.skip(wire, quote + 1, end, b -> b != '"' && b != '\\');
                return close < end && wire[close] == '"' ? named(wire, quote + 1, close) : ClaimedNames.NONE;
            }
        }
        return ClaimedNames.NONE;
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
        return key > at && CspWords.isNearly(RECIPIENT, wire, key, lineEnd);
    }
}
