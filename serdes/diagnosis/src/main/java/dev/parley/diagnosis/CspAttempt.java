package dev.parley.diagnosis;

import dev.parley.codec.Ascii;
import dev.parley.codec.csp.CspWords;

/** Recognizes attempts at CSP/1 messages. */
final class CspAttempt {
    private CspAttempt() {}

    /**
     * Whether the text is an attempt at a message: its first line nearly CSP/1, its first keys FROM and TO, a block
     * without a header, or a JSON object or a string literal that names CSP/1.
     */
    static boolean resembles(byte[] wire, int from) {
        int at = CspWords.afterMarks(wire, from, wire.length);
        if (isName(wire, at) || isLiteral(wire, from) || CspWords.startsBlock(wire, from)) {
            return true;
        }
        if (wire[from] == '{') {
            return Ascii.find(wire, from, wire.length, "\"CSP/1\"") < wire.length || hasHeader(wire, from);
        }
        CspNearMisses.Lines lines = new CspNearMisses.Lines(wire, from, null);
        return lines.line()
                && lines.keyAt("FROM") >= 0
                && lines.line()
                && lines.keyAt("TO") >= 0
                && lines.line()
                && (lines.keyAt("CTX") >= 0 || lines.keyAt("INTENT") >= 0);
    }

    /** CSP/1, CSP /1, CSP 1 or CSP1 in any case. */
    static boolean isName(byte[] wire, int from) {
        if (!Ascii.startsWithLetters(wire, from, "CSP")) {
            return false;
        }
        int at = afterOne(wire, from + 3, " ");
        at = afterOne(wire, afterOne(wire, at, "/-:"), " ");
        boolean version = at < wire.length && (wire[at] | 0x20) == 'v';
        at += version ? 1 : 0;
        return at < wire.length && wire[at] == '1' && (at + 1 == wire.length || !Ascii.isAlphanumeric(wire[at + 1]));
    }

    /** Index after a byte at an index if it is one of these characters. */
    private static int afterOne(byte[] wire, int at, String characters) {
        return at < wire.length && characters.indexOf(wire[at]) >= 0 ? at + 1 : at;
    }

    /** A literal of bytes or a string of Python, such as {@code b'CSP/1\n...'}. */
    static boolean isLiteral(byte[] wire, int from) {
        int at = from + (wire[from] == 'b' ? 1 : 0);
        return at < wire.length && (wire[at] == '\'' || wire[at] == '"') && Ascii.startsWith(wire, at + 1, "CSP/1");
    }

    /** Whether JSON has the keys FROM, TO, and CTX or INTENT, and no string with a message. */
    private static boolean hasHeader(byte[] wire, int from) {
        return Ascii.find(wire, from, wire.length, "\"CSP/1\\") == wire.length
                && hasKey(wire, from, "\"FROM\"")
                && hasKey(wire, from, "\"TO\"")
                && (hasKey(wire, from, "\"CTX\"") || hasKey(wire, from, "\"INTENT\""));
    }

    private static boolean hasKey(byte[] wire, int from, String quoted) {
        boolean found = false;
        for (int at = from; at < wire.length && !found; at++) {
            int colon = Ascii.startsWith(wire, at, quoted) ? Ascii.skipSpaces(wire, at + quoted.length()) : wire.length;
            found = colon < wire.length && wire[colon] == ':';
        }
        return found;
    }
}
