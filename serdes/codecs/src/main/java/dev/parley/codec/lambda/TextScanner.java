package dev.parley.codec.lambda;

import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Limits;
import dev.parley.codec.Utf8;

/**
 * Scans a message once, byte by byte: checks strings and, as a {@link BracketScanner}, brackets, depth and number of
 * keys, and copies significant text. White space becomes one space between two words and before a type outside
 * brackets, and is dropped elsewhere outside strings (docs/protocols.md 5, canonical forms).
 */
final class TextScanner extends BracketScanner {

    private final boolean cut;
    private boolean nonAscii;

    /**
     * @param invalid index of the first byte that is not UTF-8, where scanning stops unless an earlier error stops it;
     *     or -1
     */
    private TextScanner(
            byte[] wire, int invalid, NormalizedText text, Tail tail, Limits limits, Diagnostics diagnostics) {
        super(wire, invalid < 0 ? tail.bodyEnd() : invalid, text, tail, limits, diagnostics);
        this.cut = invalid >= 0;
    }

    /**
     * Scans a message from its first byte to its tail.
     *
     * @return the text; null after a lexical error
     */
    static NormalizedText scan(byte[] wire, int from, Tail tail, Limits limits, Diagnostics diagnostics) {
        NormalizedText text = new NormalizedText(wire, from);
        int simple = simpleEnd(wire, from, tail.bodyEnd(), diagnostics);
        text.add(from, simple);
        if (simple == tail.bodyEnd()) {
            return text;
        }
        int invalid = Utf8.firstInvalid(wire, simple, wire.length);
        return new TextScanner(wire, invalid, text, tail, limits, diagnostics).scan(simple);
    }

    /** Index after the bytes that need no scanner: without brackets, commas and colons have no meaning either. */
    private static int simpleEnd(byte[] wire, int from, int to, Diagnostics diagnostics) {
        int at = from;
        while (at < to && (Alphabet.isPlain(wire[at]) || wire[at] == ',' || isColon(wire, at, to, diagnostics))) {
            at++;
        }
        return at;
    }

    /** Whether a colon outside brackets is here. Reports the colon of a domain. */
    private static boolean isColon(byte[] wire, int at, int to, Diagnostics diagnostics) {
        if (wire[at] == ':' && Alphabet.isDomainColon(wire, at, to)) {
            diagnostics.lexical(
                    Code.LAMBDA_VERSION_FEATURE,
                    at - 1,
                    "A letter and a colon name a domain in v1.1, but nothing in v0.6. Write a context, such as"
                            + " {ns:code}.");
        }
        return wire[at] == ':';
    }

    private NormalizedText scan(int from) {
        int at = from;
        while (at >= 0 && at < to) {
            at = Alphabet.isPlain(wire[at]) ? plain(at) : other(at);
        }
        if (at >= 0 && cut) {
            at = notUtf8();
        }
        return at >= 0 && finish() ? text : null;
    }

    private int plain(int at) {
        int end = at + 1;
        while (end < to && Alphabet.isPlain(wire[end])) {
            end++;
        }
        return beginsValue(at) ? keep(at, end) : -1;
    }

    private int other(int at) {
        byte b = wire[at];
        return switch (b) {
            case ' ', '\n', '\r', '\t' -> space(at);
            case '"' -> string(at);
            case '{', '[' -> open(at);
            case '}', ']' -> close(at);
            case '|' -> bar(at);
            case ',' -> comma(at);
            case ':' -> isOutside() && isColon(wire, at, to, findings) ? keep(at, at + 1) : colon(at);
            default ->
                b < 0
                        ? nonAscii(at)
                        : lexical(Code.LAMBDA_MALFORMED, at, "A control character is outside a string. Remove it.");
        };
    }

    /** Copies white space as one space where it is significant. */
    private int space(int at) {
        int next = Ascii.skipSpaces(wire, at, to);
        if (next == to || text.isEmpty()) {
            return next;
        }
        if (isOutside() && Alphabet.isType(wire[next])) {
            // A floor mark in prose does not end a statement; one before all statements must not join the header.
            boolean mark = Alphabet.floorAt(wire, next, to) != null;
            if (!mark || beforeStatements()) {
                text.mark(mark ? NormalizedText.BLANK : NormalizedText.BOUNDARY);
                text.addBlank(next - 1);
            }
        } else if (Alphabet.isWord(text.last()) && Alphabet.isWord(wire[next])) {
            if (isOutside()) {
                text.mark(NormalizedText.BLANK);
            }
            text.addBlank(next - 1);
        }
        if (isOutside() && Prefix.startsLine(wire, next, to)) {
            text.mark(NormalizedText.PREFIX);
        }
        return next;
    }

    private int nonAscii(int at) {
        if (!nonAscii) {
            nonAscii = true;
            text.quoted();
            findings.lexical(Code.LAMBDA_NON_ASCII, at, "A non-ASCII character is outside a string. Quote it.");
        }
        return beginsValue(at) ? keep(at, at + 1) : -1;
    }

    private int string(int quote) {
        if (!beginsValue(quote)) {
            return -1;
        }
        int at = quote + 1;
        while (at < to && wire[at] != '"') {
            if (wire[at] == '\\' && at + 1 < to) {
                if (!escapable(wire[at + 1])) {
                    return lexical(
                            Code.LAMBDA_BAD_STRING,
                            at,
                            "A backslash in a string must escape one of \\ \" : { }. Write \\\\ for a backslash.");
                }
                at++;
            }
            at++;
        }
        if (at < to) {
            text.quoted();
            return keep(quote, at + 1);
        }
        return cut ? notUtf8() : lexical(Code.LAMBDA_BAD_STRING, quote, "The string that starts here is not closed.");
    }

    private static boolean escapable(byte b) {
        return b == '\\' || b == '"' || b == ':' || b == '{' || b == '}';
    }

    private int notUtf8() {
        return lexical(Code.LAMBDA_BAD_UTF8, to, "The byte at this offset is not valid UTF-8.");
    }
}
