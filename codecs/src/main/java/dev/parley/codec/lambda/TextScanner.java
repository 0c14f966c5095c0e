package dev.parley.codec.lambda;

import dev.parley.codec.Code;
import dev.parley.codec.Limits;
import dev.parley.codec.lambda.Findings.Phase;

/**
 * Reads a message byte by byte, once: checks strings, brackets, depth and number of keys, and keeps what means something. White space stays as
 * one blank between two words and before a type outside brackets; nowhere else outside strings (PROTOCOLS §5, canonical forms).
 */
final class TextScanner {

    private static final byte[] ENC = {'e', 'n', 'c'};

    private final byte[] wire;
    private final int from;
    private final int to;
    private final boolean cut;
    private final Tail tail;
    private final Limits limits;
    private final Findings findings;
    private final Brackets brackets;
    private final Text text;
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
        this.from = from;
        this.to = invalid < 0 ? tail.bodyEnd() : invalid;
        this.cut = invalid >= 0;
        this.tail = tail;
        this.limits = limits;
        this.findings = findings;
        this.brackets = new Brackets(limits.depth());
        this.text = new Text(Math.max(to - from, 0) + 1);
    }

    /** The text, or null when a lexical fault was found. */
    Text scan() {
        int at = from;
        while (at >= 0 && at < to) {
            at = step(at);
        }
        if (at < 0) {
            return null;
        }
        if (cut) {
            notUtf8();
            return null;
        }
        if (brackets.depth() > 0) {
            lexical(Code.LAMBDA_UNBALANCED, wire.length, brackets.unclosed());
            return null;
        }
        if (tail.checksum() != null && tail.floor() == null && text.payloadFrom() < 0) {
            takesPayload(tail.checksumAt());
        }
        return text;
    }

    /** Reads what stands at an index; gives the index to go on from, or -1 after a fault. */
    private int step(int at) {
        byte b = wire[at];
        if (Alphabet.isSpace(b)) {
            return space(at);
        }
        if (Alphabet.isControl(b)) {
            return lexical(Code.LAMBDA_MALFORMED, at, "A control character stands outside a string; remove it.");
        }
        if (b < 0 && !nonAscii) {
            nonAscii = true;
            findings.warning(
                    Phase.LEXICAL,
                    Code.LAMBDA_NON_ASCII,
                    at,
                    "A character outside ASCII stands outside a string; quote it.");
        }
        return switch (b) {
            case '"' -> string(at);
            case '{', '[' -> open(at);
            case '}', ']' -> close(at);
            case '|' -> bar(at);
            case ',' -> comma(at);
            case ':' -> colon(at);
            default -> value(at) ? keep(at) : -1;
        };
    }

    private int keep(int at) {
        text.add(wire[at], at);
        return at + 1;
    }

    /** Keeps a run of white space as one blank where it means something. */
    private int space(int at) {
        int next = Alphabet.skipSpaces(wire, at, to);
        if (next == to || text.length() == 0) {
            return next;
        }
        boolean outside = brackets.depth() == 0;
        if (outside && Alphabet.isType(wire[next])) {
            // A floor mark in prose ends no statement; one before all statements must not run into the header.
            boolean mark = Alphabet.floorAt(wire, next, to) != null;
            if (!mark || beforeStatements()) {
                text.mark(mark ? Text.BLANK : Text.BOUNDARY);
                text.add((byte) ' ', next - 1);
            }
        } else if (Alphabet.isWord(text.last()) && Alphabet.isWord(wire[next])) {
            if (outside) {
                text.mark(Text.BLANK);
            }
            text.add((byte) ' ', next - 1);
        }
        return next;
    }

    private int string(int quote) {
        if (!value(quote)) {
            return -1;
        }
        keep(quote);
        int at = quote + 1;
        while (at < to && wire[at] != '"') {
            if (wire[at] == '\\' && at + 1 < to) {
                if (!escapable(wire[at + 1])) {
                    return lexical(
                            Code.LAMBDA_BAD_STRING,
                            at,
                            "A backslash in a string escapes one of \\ \" : { } only; write \\\\ for a backslash.");
                }
                at = keep(at);
            }
            at = keep(at);
        }
        if (at < to) {
            return keep(at);
        }
        return cut ? notUtf8() : lexical(Code.LAMBDA_BAD_STRING, quote, "The string that starts here is not closed.");
    }

    private static boolean escapable(byte b) {
        return b == '\\' || b == '"' || b == ':' || b == '{' || b == '}';
    }

    private int open(int at) {
        boolean outside = brackets.depth() == 0;
        if (outside && wire[at] == '[' && takesPayload(at)) {
            return to;
        }
        if (!value(at) || !push(wire[at], at)) {
            return -1;
        }
        if (outside) {
            if (tail.listCouldBeChecksum() && isLastNumberList(at) && text.length() > 0) {
                text.mark(Text.BLANK);
                text.add((byte) ' ', at);
            }
            encrypts = false;
            text.mark(Text.OPEN);
            partStart = text.length() + 1;
        }
        return keep(at);
    }

    private boolean push(byte bracket, int at) {
        if (brackets.push(bracket)) {
            return true;
        }
        lexical(Code.TOO_DEEP, at, "Brackets nest deeper than " + limits.depth() + " levels.");
        return false;
    }

    private int close(int at) {
        byte opened = wire[at] == '}' ? (byte) '{' : (byte) '[';
        if (brackets.depth() == 0 || brackets.top() != opened) {
            return lexical(
                    Code.LAMBDA_UNBALANCED,
                    at,
                    brackets.depth() == 0 ? "This bracket closes nothing." : brackets.unclosed());
        }
        brackets.pop();
        keep(at);
        if (brackets.depth() == 0) {
            text.mark(Text.CLOSE);
        }
        return at + 1;
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
        statementBegun =
                statementBegun || Prefix.parse(text, new Findings(false)).end() < text.length();
        return !statementBegun;
    }

    private int bar(int at) {
        int second = Alphabet.skipSpaces(wire, at + 1, to);
        boolean isDouble = second < to && wire[second] == '|';
        if (brackets.depth() > 0 && brackets.top() == '|') {
            if (!isDouble) {
                brackets.cell();
                return keep(at);
            }
            if (brackets.rowEndsRagged()) {
                findings.violation(Code.LAMBDA_TABLE_RAGGED);
            }
            keep(at);
            keep(second);
            if (tableEnds(second + 1)) {
                brackets.pop();
                if (brackets.depth() == 0) {
                    text.mark(Text.CLOSE);
                }
            }
            return second + 1;
        }
        boolean opens = isDouble && atValueStart();
        if (!value(at)) {
            return -1;
        }
        if (!opens) {
            return keep(at);
        }
        boolean outside = brackets.depth() == 0;
        if (!push((byte) '|', at)) {
            return -1;
        }
        if (outside) {
            encrypts = false;
            text.mark(Text.OPEN);
        }
        keep(at);
        keep(second);
        return second + 1;
    }

    /** Whether a value starts here, so that two bars open a table and do not mean "or" (PROTOCOLS L22). */
    private boolean atValueStart() {
        byte before = text.last();
        if (before == ':' || before == '=' || before == ',' || before == '/' || before == '[' || before == '{') {
            return true;
        }
        return brackets.depth() == 0 && (Alphabet.isType(before) || beforeStatements());
    }

    /** Whether a table ends after the end of a row: what follows cannot be a cell. */
    private boolean tableEnds(int at) {
        int next = Alphabet.skipSpaces(wire, at, to);
        if (next == to) {
            return true;
        }
        byte b = wire[next];
        if (b == ',' || b == '}' || b == ']') {
            return true;
        }
        return brackets.depth() == 1
                && ((next > at && Alphabet.isType(b) && Alphabet.floorAt(wire, next, to) == null)
                        || (tail.listCouldBeChecksum() && isLastNumberList(next)));
    }

    private int comma(int at) {
        if (brackets.depth() > 0 && brackets.top() == '{') {
            if (brackets.depth() == 1) {
                text.mark(Text.COMMA);
                partStart = text.length() + 1;
            }
            brackets.endPart();
            return keep(at);
        }
        return keep(at);
    }

    private int colon(int at) {
        if (!value(at)) {
            return -1;
        }
        if (brackets.firstColon() && brackets.depth() == 1) {
            text.mark(Text.COLON);
            encrypts = encrypts || keyIsEnc();
        }
        return keep(at);
    }

    private boolean keyIsEnc() {
        if (text.length() - partStart != ENC.length) {
            return false;
        }
        for (int i = 0; i < ENC.length; i++) {
            if (text.at(partStart + i) != ENC[i]) {
                return false;
            }
        }
        return true;
    }

    /** Counts an entry of a brace when its first byte comes; false when there are too many. */
    private boolean value(int at) {
        if (brackets.beginsPart() && ++fields > limits.fields()) {
            lexical(Code.TOO_MANY_FIELDS, at, "The message has more than " + limits.fields() + " keys.");
            return false;
        }
        return true;
    }

    /** Whether a list reads {@code [n12]}, white space that means nothing left out, and ends the message. */
    private boolean isLastNumberList(int at) {
        if (wire[at] != '[') {
            return false;
        }
        int letter = Alphabet.skipSpaces(wire, at + 1, to);
        if (letter == to || wire[letter] != 'n') {
            return false;
        }
        int digits = Alphabet.digitsEnd(wire, letter + 1, to);
        int bracket = Alphabet.skipSpaces(wire, digits, to);
        return digits > letter + 1 && bracket == to - 1 && wire[bracket] == ']';
    }

    private int notUtf8() {
        return lexical(Code.LAMBDA_BAD_UTF8, to, "This byte is not part of a UTF-8 character.");
    }

    private int lexical(Code code, int at, String detail) {
        findings.fault(Phase.LEXICAL, code, at, detail);
        return -1;
    }
}
