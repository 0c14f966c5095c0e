package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import java.util.Arrays;

/**
 * The text of a message without insignificant white space, with valid strings and brackets and marks for its structure.
 * Until something is omitted, the text is a range of the message itself; then it is copied. Positions start at
 * {@link #start} and may differ from offsets in the message; {@link #offset} converts them.
 */
final class NormalizedText {

    /** A space outside brackets between two statements. */
    static final byte BOUNDARY = 0;
    /** Any other space outside brackets. */
    static final byte BLANK = 1;
    /** The bracket that opens a structure outside all others. */
    static final byte OPEN = 2;
    /** The position after such a structure. */
    static final byte CLOSE = 3;
    /** A comma directly inside such a brace. */
    static final byte COMMA = 4;
    /** The first colon after such a brace or comma. */
    static final byte COLON = 5;
    /** The start of a line with a part that may only precede statements. */
    static final byte PREFIX = 6;

    private static final int[] NO_POSITIONS = {};
    private static final byte[] NO_KINDS = {};

    private final byte[] wire;
    private final int start;
    private byte[] bytes;
    private int end;
    private int[] markAt = NO_POSITIONS;
    private byte[] markKind = NO_KINDS;
    private int marks;

    /** Shift from positions to offsets: {@code shiftBy[i]} from position {@code shiftAt[i]} on, 0 before the first. */
    private int[] shiftAt = NO_POSITIONS;

    private int[] shiftBy = NO_POSITIONS;
    private int shifts;
    private String payload;
    private boolean quoted;
    private String raggedRow;

    /**
     * Creates an empty text.
     *
     * @param wire the message, which is not changed
     * @param start position of the text's first byte, which is also its offset in the message
     */
    NormalizedText(byte[] wire, int start) {
        this.wire = wire;
        this.bytes = wire;
        this.start = start;
        this.end = start;
    }

    /** Adds a range of bytes of the message. */
    void add(int from, int to) {
        if (bytes == wire && from == end) {
            end = to;
            return;
        }
        leaveWire(from);
        System.arraycopy(wire, from, bytes, end, to - from);
        end += to - from;
    }

    /** Adds a space for white space that ends at an offset, or for no white space before the next byte there. */
    void addBlank(int offset) {
        if (bytes == wire && offset == end && wire[offset] == ' ') {
            end++;
            return;
        }
        leaveWire(offset);
        bytes[end++] = ' ';
    }

    /**
     * Turns the text into a copy, because the next byte does not follow the text in the message. Adds at most one
     * space.
     */
    private void leaveWire(int offset) {
        if (bytes == wire) {
            bytes = Arrays.copyOf(wire, wire.length + 1);
        }
        int shift = offset - end;
        if (shift != (shifts == 0 ? 0 : shiftBy[shifts - 1])) {
            if (shifts == shiftAt.length) {
                int capacity = Math.max(4, shifts * 2);
                shiftAt = Arrays.copyOf(shiftAt, capacity);
                shiftBy = Arrays.copyOf(shiftBy, capacity);
            }
            shiftAt[shifts] = end;
            shiftBy[shifts++] = shift;
        }
    }

    /** Notes what is wrong with a row of a table. */
    void ragged(String sentence) {
        raggedRow = raggedRow == null ? sentence : raggedRow;
    }

    /** The error of the first row whose length differs from the first of its table; null without one. */
    String raggedRow() {
        return raggedRow;
    }

    /** Notes a part that may have any characters. */
    void quoted() {
        quoted = true;
    }

    /** Whether a part may have control characters. */
    boolean isQuoted() {
        return quoted;
    }

    /** Marks the position of the next byte. */
    void mark(byte kind) {
        if (marks == markAt.length) {
            int capacity = Math.max(8, marks * 2);
            markAt = Arrays.copyOf(markAt, capacity);
            markKind = Arrays.copyOf(markKind, capacity);
        }
        markAt[marks] = end;
        markKind[marks++] = kind;
    }

    /** Notes that the text ends before an encrypted payload. */
    void payload(int from, int to) {
        payload = new String(wire, from, to - from, UTF_8);
    }

    /** The encrypted payload, or null. */
    String payload() {
        return payload;
    }

    /** Length of the message, which is the offset to report for missing parts. */
    int wireLength() {
        return wire.length;
    }

    /** The position of the first byte. */
    int start() {
        return start;
    }

    /** The position after the last byte. */
    int end() {
        return end;
    }

    boolean isEmpty() {
        return end == start;
    }

    byte at(int position) {
        return bytes[position];
    }

    /** The bytes; only those from {@link #start} to {@link #end} are valid. */
    byte[] bytes() {
        return bytes;
    }

    /** The last byte; 0 if there is none. */
    byte last() {
        return isEmpty() ? 0 : bytes[end - 1];
    }

    String slice(int from, int to) {
        return new String(bytes, from, to - from, UTF_8);
    }

    boolean startsWith(String ascii, int position) {
        return isAt(ascii, position, Math.min(end, position + ascii.length()));
    }

    /** Whether a range is the same as an ASCII string. */
    boolean isAt(String ascii, int from, int to) {
        return to - from == ascii.length() && Ascii.startsWith(bytes, from, ascii);
    }

    int marks() {
        return marks;
    }

    int markAt(int mark) {
        return markAt[mark];
    }

    byte markKind(int mark) {
        return markKind[mark];
    }

    /**
     * The first mark of a kind at or after a position, searching from an earlier mark; {@link #marks} if there is none.
     */
    int nextMark(byte kind, int position, int fromMark) {
        int mark = fromMark;
        while (mark < marks && (markAt[mark] < position || markKind[mark] != kind)) {
            mark++;
        }
        return mark;
    }

    /**
     * The position of the first mark of a kind between two positions, searching from an earlier mark; the end if there
     * is none.
     */
    int nextMarkWithin(byte kind, int from, int to, int fromMark) {
        int mark = fromMark;
        while (mark < marks && markAt[mark] < to) {
            if (markAt[mark] >= from && markKind[mark] == kind) {
                return markAt[mark];
            }
            mark++;
        }
        return to;
    }

    /** The offset of a position in the message. */
    int offset(int position) {
        int found = Arrays.binarySearch(shiftAt, 0, shifts, position);
        int shift = found >= 0 ? found : -found - 2;
        return shift < 0 ? position : position + shiftBy[shift];
    }
}
