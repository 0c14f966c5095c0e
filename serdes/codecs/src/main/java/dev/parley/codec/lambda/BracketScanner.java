package dev.parley.codec.lambda;

import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Limits;

/**
 * Scans the structure of a message: brackets, tables, the entries of braces, and an opaque payload. Copies what it
 * reads to the {@link NormalizedText}, with marks outside all other brackets.
 *
 * <p>Its methods read at an index and return the next index, or -1 after an error.
 */
abstract class BracketScanner {

    final byte[] wire;

    /** Index after the last byte that is read. */
    final int to;

    final NormalizedText text;

    /** The errors and warnings. */
    final Diagnostics findings;

    private final Tail tail;
    private final Limits limits;
    private Bracket innermost;
    private int depth;
    private int fields;
    private int partStart;
    private boolean encrypts;
    private boolean statementBegun;

    /**
     * Creates a scanner of a message.
     *
     * @param wire the bytes that contain the message; not changed
     * @param to index after the last byte that is read
     * @param text receives the scanned text
     * @param tail the marks after the message
     * @param limits maximum depth and number of entries
     * @param diagnostics receives errors and warnings
     */
    BracketScanner(byte[] wire, int to, NormalizedText text, Tail tail, Limits limits, Diagnostics diagnostics) {
        this.wire = wire;
        this.to = to;
        this.text = text;
        this.findings = diagnostics;
        this.tail = tail;
        this.limits = limits;
    }

    final boolean isOutside() {
        return depth == 0;
    }

    /** Ends the text. Returns false if a bracket is open. A list that looks like a checksum may be a payload. */
    final boolean finish() {
        if (depth > 0) {
            lexical(Code.LAMBDA_UNBALANCED, wire.length, innermost.unclosed());
            return false;
        }
        if (tail.checksum() != null && tail.floor() == null && text.payload() == null) {
            takesPayload(tail.checksumAt());
        }
        return true;
    }

    final int open(int at) {
        boolean outside = depth == 0;
        if (outside && wire[at] == '[' && takesPayload(at)) {
            return to;
        }
        if (!beginsValue(at) || !push(wire[at], at)) {
            return -1;
        }
        if (outside) {
            if (!text.isEmpty() && tail.couldBeChecksum(wire, at, to)) {
                text.mark(NormalizedText.BLANK);
                text.addBlank(at);
            }
            opened();
        }
        return keep(at, at + 1);
    }

    private boolean push(byte bracket, int at) {
        if (depth == limits.depth()) {
            lexical(Code.TOO_DEEP, at, "Brackets nest deeper than the maximum of " + limits.depth() + " levels.");
            return false;
        }
        innermost = new Bracket(bracket, innermost);
        depth++;
        return true;
    }

    /** Marks a structure that opens outside all others, at the next byte. */
    private void opened() {
        encrypts = false;
        text.mark(NormalizedText.OPEN);
        partStart = text.end() + 1;
    }

    final int close(int at) {
        if (!Bracket.is(innermost, wire[at] == '}' ? '{' : '[')) {
            return lexical(
                    Code.LAMBDA_UNBALANCED,
                    at,
                    depth == 0 ? "This bracket has no opening counterpart." : innermost.unclosed());
        }
        keep(at, at + 1);
        closed();
        return at + 1;
    }

    /** Closes the innermost bracket after its last byte. */
    private void closed() {
        innermost = innermost.outer();
        depth--;
        if (depth == 0) {
            text.mark(NormalizedText.CLOSE);
        }
    }

    final int bar(int at) {
        int second = Ascii.skipSpaces(wire, at + 1, to);
        boolean isDouble = second < to && wire[second] == '|';
        if (Bracket.is(innermost, '|')) {
            if (isDouble) {
                return rowEnd(at, second);
            }
            innermost.endCell();
            return keep(at, at + 1);
        }
        boolean opens = isDouble && atValueStart();
        if (!beginsValue(at) || (opens && !push((byte) '|', at))) {
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

    private int rowEnd(int first, int second) {
        int ragged = innermost.endRow();
        if (ragged > 0) {
            findings.violate(Code.LAMBDA_TABLE_RAGGED);
            text.ragged(innermost.raggedRow(ragged));
        }
        int next = keepBars(first, second);
        if (tableEnds(next)) {
            closed();
        }
        return next;
    }

    /** Whether a value starts here, so that two bars open a table rather than mean "or" (docs/protocols.md L22). */
    private boolean atValueStart() {
        return switch (text.last()) {
            case ':', '=', ',', '/', '[', '{' -> true;
            default -> depth == 0 && (Alphabet.isType(text.last()) || beforeStatements());
        };
    }

    /** Whether a table ends after a row, because no cell can start there. */
    private boolean tableEnds(int at) {
        int next = Ascii.skipSpaces(wire, at, to);
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

    final int comma(int at) {
        if (Bracket.is(innermost, '{')) {
            innermost.endEntry();
            if (depth == 1) {
                text.mark(NormalizedText.COMMA);
                partStart = text.end() + 1;
            }
        }
        return keep(at, at + 1);
    }

    final int colon(int at) {
        if (!beginsValue(at)) {
            return -1;
        }
        if (Bracket.is(innermost, '{') && innermost.firstColon() && depth == 1) {
            text.mark(NormalizedText.COLON);
            encrypts = encrypts || (text.end() - partStart == 3 && text.startsWith("enc", partStart));
        }
        return keep(at, at + 1);
    }

    /** Counts an entry of a brace at its first byte. Returns false if there are too many. */
    final boolean beginsValue(int at) {
        if (Bracket.is(innermost, '{') && innermost.beginsEntry() && ++fields > limits.fields()) {
            lexical(Code.TOO_MANY_FIELDS, at, "The message has more keys than the maximum of " + limits.fields() + ".");
            return false;
        }
        return true;
    }

    /**
     * Reads an opaque payload: a list that follows an {@code {enc:alg}}, ends the message and precedes any statement
     * (docs/protocols.md L28).
     *
     * @param bracket index of its opening bracket
     */
    private boolean takesPayload(int bracket) {
        if (!encrypts) {
            return false;
        }
        int last = tail.payloadEnd() - 1;
        if (bracket < last && wire[last] == ']' && beforeStatements()) {
            text.payload(bracket + 1, last);
            return true;
        }
        return false;
    }

    /** Whether everything so far may precede statements. */
    final boolean beforeStatements() {
        statementBegun = statementBegun || Prefix.endIn(text) < text.end();
        return !statementBegun;
    }

    /** Copies a range of bytes to the text. */
    final int keep(int at, int end) {
        text.add(at, end);
        return end;
    }

    /** Adds a lexical error; always returns -1. */
    final int lexical(Code code, int at, String detail) {
        findings.lexical(code, at, detail);
        return -1;
    }
}
