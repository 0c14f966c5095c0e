package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The text of a message without the white space that means nothing, its strings and brackets sound, and the places where its structure shows.
 * As long as nothing was left out, the text is a part of the message itself; then it is copied. Positions in it start at {@link #start} and are
 * not always positions in the message; {@link #offset} leads back.
 */
final class Text {

    /** A blank outside brackets that ends one statement; the next one starts after it. */
    static final byte BOUNDARY = 0;
    /** Any other blank outside brackets. */
    static final byte BLANK = 1;
    /** The bracket that opens a structure outside all others. */
    static final byte OPEN = 2;
    /** The position after such a structure. */
    static final byte CLOSE = 3;
    /** A comma directly inside such a brace. */
    static final byte COMMA = 4;
    /** The first colon after such a brace or comma. */
    static final byte COLON = 5;

    private static final int[] NO_POSITIONS = {};
    private static final byte[] NO_KINDS = {};

    private final byte[] wire;
    private final int start;
    private byte[] bytes;
    private int end;
    private int[] markAt = NO_POSITIONS;
    private byte[] markKind = NO_KINDS;
    private int marks;

    /** What is to be added to a position to get its offset: {@code shiftBy[i]} from position {@code shiftAt[i]} on, 0 before the first. */
    private int[] shiftAt = NO_POSITIONS;

    private int[] shiftBy = NO_POSITIONS;
    private int shifts;
    private int payloadFrom = -1;
    private int payloadTo = -1;

    /**
     * An empty text.
     *
     * @param wire the message, which is not changed
     * @param start the position of the text's first byte, which is also its offset in the message
     */
    Text(byte[] wire, int start) {
        this.wire = wire;
        this.bytes = wire;
        this.start = start;
        this.end = start;
    }

    /** Adds bytes of the message, from one offset to before another. */
    void add(int from, int to) {
        if (bytes == wire && from == end) {
            end = to;
            return;
        }
        leaveWire(from);
        System.arraycopy(wire, from, bytes, end, to - from);
        end += to - from;
    }

    /** Adds a blank that stands for white space up to an offset, or for nothing before the next byte there. */
    void addBlank(int offset) {
        if (bytes == wire && offset == end && wire[offset] == ' ') {
            end++;
            return;
        }
        leaveWire(offset);
        bytes[end++] = ' ';
    }

    /** Makes the text a copy, for what comes next, at an offset, does not stand at the text's end in the message. At most one blank is added. */
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

    /** Says that the text ends before an encrypted payload. */
    void payload(int from, int to) {
        payloadFrom = from;
        payloadTo = to;
    }

    boolean hasPayload() {
        return payloadFrom >= 0;
    }

    /** The encrypted payload; there has to be one. */
    String payload() {
        return new String(wire, payloadFrom, payloadTo - payloadFrom, UTF_8);
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

    /** The bytes; those before {@link #start} and from {@link #end} on mean nothing. */
    byte[] bytes() {
        return bytes;
    }

    /** The last byte, or 0 when there is none. */
    byte last() {
        return isEmpty() ? 0 : bytes[end - 1];
    }

    String slice(int from, int to) {
        return new String(bytes, from, to - from, UTF_8);
    }

    /** Whether an ASCII text stands at a position. */
    boolean startsWith(String ascii, int position) {
        if (end - position < ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (bytes[position + i] != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
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

    /** The first mark of a kind at a position or after it, looking from an earlier mark on; {@link #marks} when there is none. */
    int nextMark(byte kind, int position, int fromMark) {
        int mark = fromMark;
        while (mark < marks && (markAt[mark] < position || markKind[mark] != kind)) {
            mark++;
        }
        return mark;
    }

    /** The position of the first mark of a kind between two positions, looking from an earlier mark on; the end when there is none. */
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

    /** The offset in the message of a position. */
    int offset(int position) {
        int found = Arrays.binarySearch(shiftAt, 0, shifts, position);
        int shift = found >= 0 ? found : -found - 2;
        return shift < 0 ? position : position + shiftBy[shift];
    }
}
