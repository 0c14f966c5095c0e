package dev.parley.codec.lambda;

import dev.parley.codec.Code;
import dev.parley.codec.Limits;
import dev.parley.codec.lambda.Findings.Phase;

/**
 * Reads a message byte by byte, once: checks strings, and, as a {@link BracketScanner}, brackets, depth and number of keys; keeps what means
 * something. White space stays as one blank between two words and before a type outside brackets; nowhere else outside strings (PROTOCOLS §5,
 * canonical forms).
 */
final class TextScanner extends BracketScanner {

    private final boolean cut;
    private boolean nonAscii;

    /**
     * @param invalid index of the first byte that is not UTF-8, where reading stops with that fault unless another comes before; or -1
     */
    TextScanner(byte[] wire, int from, int invalid, Tail tail, Limits limits, Findings findings) {
        super(wire, from, invalid < 0 ? tail.bodyEnd() : invalid, tail, limits, findings);
        this.cut = invalid >= 0;
    }

    /** The text, or null when a lexical fault was found. */
    Text scan() {
        int at = text.start();
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
        return value(at) ? keep(at, end) : -1;
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
            case ':' -> colon(at);
            default -> b < 0 ? nonAscii(at) : control(at);
        };
    }

    /** Keeps a run of white space as one blank where it means something. */
    private int space(int at) {
        int next = Alphabet.skipSpaces(wire, at, to);
        if (next == to || text.isEmpty()) {
            return next;
        }
        if (isOutside() && Alphabet.isType(wire[next])) {
            // A floor mark in prose ends no statement; one before all statements must not run into the header.
            boolean mark = Alphabet.floorAt(wire, next, to) != null;
            if (!mark || beforeStatements()) {
                text.mark(mark ? Text.BLANK : Text.BOUNDARY);
                text.addBlank(next - 1);
            }
        } else if (Alphabet.isWord(text.last()) && Alphabet.isWord(wire[next])) {
            if (isOutside()) {
                text.mark(Text.BLANK);
            }
            text.addBlank(next - 1);
        }
        return next;
    }

    private int nonAscii(int at) {
        if (!nonAscii) {
            nonAscii = true;
            findings.warning(
                    Phase.LEXICAL,
                    Code.LAMBDA_NON_ASCII,
                    at,
                    "A character outside ASCII stands outside a string; quote it.");
        }
        return value(at) ? keep(at, at + 1) : -1;
    }

    private int control(int at) {
        return lexical(Code.LAMBDA_MALFORMED, at, "A control character stands outside a string; remove it.");
    }

    private int string(int quote) {
        if (!value(quote)) {
            return -1;
        }
        int at = quote + 1;
        while (at < to && wire[at] != '"') {
            if (wire[at] == '\\' && at + 1 < to) {
                if (!escapable(wire[at + 1])) {
                    return lexical(
                            Code.LAMBDA_BAD_STRING,
                            at,
                            "A backslash in a string escapes one of \\ \" : { } only; write \\\\ for a backslash.");
                }
                at++;
            }
            at++;
        }
        if (at < to) {
            return keep(quote, at + 1);
        }
        return cut ? notUtf8() : lexical(Code.LAMBDA_BAD_STRING, quote, "The string that starts here is not closed.");
    }

    private static boolean escapable(byte b) {
        return b == '\\' || b == '"' || b == ':' || b == '{' || b == '}';
    }

    private int notUtf8() {
        return lexical(Code.LAMBDA_BAD_UTF8, to, "This byte is not part of a UTF-8 character.");
    }
}
