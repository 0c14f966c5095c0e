package dev.parley.codec.lambda;

import dev.parley.codec.Code;
import dev.parley.codec.Limits;
import dev.parley.codec.lambda.Findings.Phase;

/**
 * Reads a message byte by byte, once: checks strings, brackets, depth and number of keys, and keeps what means something. White space stays as
 * one blank between two words and before a type outside brackets; nowhere else outside strings (PROTOCOLS §5, canonical forms).
 *
 * <p>Its methods read what stands at an index and give the index to go on from, or -1 after a fault.
 */
final class TextScanner {

    private final byte[] wire;
    private final int to;
    private final boolean cut;
    private final Tail tail;
    private final Limits limits;
    private final Findings findings;
    private final Text text;
    private Bracket innermost;
    private int depth;
    private int fields;
    private int partStart;
    private boolean encrypts;
    private boolean statementBegun;
    private boolean nonAscii;

    /**
     * @param invalid index of the first byte that is not UTF-8, where reading stops with that fault unless another comes before; or -1
     */
    TextScanner(byte[] wire, int from, int invalid, Tail tail, Limits limits, Findings findings) {
        this.wire = wire;
        this.to = invalid < 0 ? tail.bodyEnd() : invalid;
        this.cut = invalid >= 0;
        this.tail = tail;
        this.limits = limits;
        this.findings = findings;
        this.text = new Text(wire, from);
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
        if (at >= 0 && depth > 0) {
            at = lexical(Code.LAMBDA_UNBALANCED, wire.length, innermost.unclosed());
        }
        if (at < 0) {
            return null;
        }
        if (tail.checksum() != null && tail.floor() == null && !text.hasPayload()) {
            takesPayload(tail.checksumAt());
        }
        return text;
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

    private int keep(int at, int end) {
        text.add(at, end);
        return end;
    }

    /** Keeps a run of white space as one blank where it means something. */
    private int space(int at) {
        int next = Alphabet.skipSpaces(wire, at, to);
        if (next == to || text.isEmpty()) {
            return next;
        }
        boolean outside = depth == 0;
        if (outside && Alphabet.isType(wire[next])) {
            // A floor mark in prose ends no statement; one before all statements must not run into the header.
            boolean mark = Alphabet.floorAt(wire, next, to) != null;
            if (!mark || beforeStatements()) {
                text.mark(mark ? Text.BLANK : Text.BOUNDARY);
                text.addBlank(next - 1);
            }
        } else if (Alphabet.isWord(text.last()) && Alphabet.isWord(wire[next])) {
            if (outside) {
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

    private int open(int at) {
        boolean outside = depth == 0;
        if (outside && wire[at] == '[' && takesPayload(at)) {
            return to;
        }
        if (!value(at) || !push(wire[at], at)) {
            return -1;
        }
        if (outside) {
            if (!text.isEmpty() && tail.couldBeChecksum(wire, at, to)) {
                text.mark(Text.BLANK);
                text.addBlank(at);
            }
            opened();
        }
        return keep(at, at + 1);
    }

    private boolean push(byte bracket, int at) {
        if (depth == limits.depth()) {
            lexical(Code.TOO_DEEP, at, "Brackets nest deeper than " + limits.depth() + " levels.");
            return false;
        }
        innermost = new Bracket(bracket, innermost);
        depth++;
        return true;
    }

    /** Notes a structure that opens outside all others, at the next byte. */
    private void opened() {
        encrypts = false;
        text.mark(Text.OPEN);
        partStart = text.end() + 1;
    }

    private int close(int at) {
        if (!Bracket.is(innermost, wire[at] == '}' ? '{' : '[')) {
            return lexical(
                    Code.LAMBDA_UNBALANCED, at, depth == 0 ? "This bracket closes nothing." : innermost.unclosed());
        }
        keep(at, at + 1);
        closed();
        return at + 1;
    }

    /** Closes the innermost bracket, of which the last byte has been kept. */
    private void closed() {
        innermost = innermost.outer();
        depth--;
        if (depth == 0) {
            text.mark(Text.CLOSE);
        }
    }

    private int bar(int at) {
        int second = Alphabet.skipSpaces(wire, at + 1, to);
        boolean isDouble = second < to && wire[second] == '|';
        if (Bracket.is(innermost, '|')) {
            return isDouble ? rowEnd(at, second) : cellEnd(at);
        }
        boolean opens = isDouble && atValueStart();
        if (!value(at) || (opens && !push((byte) '|', at))) {
            return -1;
        }
        if (!opens) {
            return keep(at, at + 1);
        }
        if (depth == 1) {
            opened();
        }
        return keepBars(at, second);
    }

    private int keepBars(int first, int second) {
        text.add(first, first + 1);
        return keep(second, second + 1);
    }

    private int cellEnd(int at) {
        innermost.endCell();
        return keep(at, at + 1);
    }

    private int rowEnd(int first, int second) {
        if (innermost.endsRaggedRow()) {
            findings.violation(Code.LAMBDA_TABLE_RAGGED);
        }
        int next = keepBars(first, second);
        if (tableEnds(next)) {
            closed();
        }
        return next;
    }

    /** Whether a value starts here, so that two bars open a table and do not mean "or" (PROTOCOLS L22). */
    private boolean atValueStart() {
        return switch (text.last()) {
            case ':', '=', ',', '/', '[', '{' -> true;
            default -> depth == 0 && (Alphabet.isType(text.last()) || beforeStatements());
        };
    }

    /** Whether a table ends after the end of a row: what follows cannot be a cell. */
    private boolean tableEnds(int at) {
        int next = Alphabet.skipSpaces(wire, at, to);
        if (next == to) {
            return true;
        }
        return switch (wire[next]) {
            case ',', '}', ']' -> true;
            default ->
                depth == 1
                        && ((next > at && Alphabet.isType(wire[next]) && Alphabet.floorAt(wire, next, to) == null)
                                || tail.couldBeChecksum(wire, next, to));
        };
    }

    private int comma(int at) {
        if (Bracket.is(innermost, '{')) {
            innermost.endEntry();
            if (depth == 1) {
                text.mark(Text.COMMA);
                partStart = text.end() + 1;
            }
        }
        return keep(at, at + 1);
    }

    private int colon(int at) {
        if (!value(at)) {
            return -1;
        }
        if (Bracket.is(innermost, '{') && innermost.firstColon() && depth == 1) {
            text.mark(Text.COLON);
            encrypts = encrypts || (text.end() - partStart == 3 && text.startsWith("enc", partStart));
        }
        return keep(at, at + 1);
    }

    /** Counts an entry of a brace when its first byte comes; false when there are too many. */
    private boolean value(int at) {
        if (Bracket.is(innermost, '{') && innermost.beginsEntry() && ++fields > limits.fields()) {
            lexical(Code.TOO_MANY_FIELDS, at, "The message has more than " + limits.fields() + " keys.");
            return false;
        }
        return true;
    }

    /**
     * A list that follows an {@code {enc:alg}}, at the end of the message and before any statement, is opaque (PROTOCOLS L28).
     *
     * @param bracket index of its opening bracket
     */
    private boolean takesPayload(int bracket) {
        int last = tail.payloadEnd() - 1;
        if (encrypts && bracket < last && wire[last] == ']' && beforeStatements()) {
            text.payload(bracket + 1, last);
            return true;
        }
        return false;
    }

    private boolean beforeStatements() {
        statementBegun = statementBegun || Prefix.endIn(text) < text.end();
        return !statementBegun;
    }

    private int notUtf8() {
        return lexical(Code.LAMBDA_BAD_UTF8, to, "This byte is not part of a UTF-8 character.");
    }

    private int lexical(Code code, int at, String detail) {
        findings.fault(Phase.LEXICAL, code, at, detail);
        return -1;
    }
}
