package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The text of a message without the white space that means nothing, its strings and brackets sound, and the places where its structure shows.
 * Positions in it are not positions in the message; {@link #offset} leads back.
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

    private byte[] bytes;
    private int length;
    private int[] markAt = new int[16];
    private byte[] markKind = new byte[16];
    private int marks;
    private int[] shiftAt = new int[8];
    private int[] shiftBy = new int[8];
    private int shifts;
    private int payloadFrom = -1;
    private int payloadTo = -1;

    Text(int capacity) {
        bytes = new byte[capacity];
    }

    /** Adds a byte that stands at an offset of the message. */
    void add(byte b, int offset) {
        int shift = offset - length;
        if (shifts == 0 || shiftBy[shifts - 1] != shift) {
            if (shifts == shiftAt.length) {
                shiftAt = Arrays.copyOf(shiftAt, shifts * 2);
                shiftBy = Arrays.copyOf(shiftBy, shifts * 2);
            }
            shiftAt[shifts] = length;
            shiftBy[shifts++] = shift;
        }
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length + 16);
        }
        bytes[length++] = b;
    }

    /** Marks the position of the next byte. */
    void mark(byte kind) {
        if (marks == markAt.length) {
            markAt = Arrays.copyOf(markAt, marks * 2);
            markKind = Arrays.copyOf(markKind, marks * 2);
        }
        markAt[marks] = length;
        markKind[marks++] = kind;
    }

    /** Says that the text ends before an encrypted payload. */
    void payload(int from, int to) {
        payloadFrom = from;
        payloadTo = to;
    }

    /** Offset in the message of the payload's first byte; -1 when there is no payload. */
    int payloadFrom() {
        return payloadFrom;
    }

    /** Offset in the message after the payload's last byte. */
    int payloadTo() {
        return payloadTo;
    }

    int length() {
        return length;
    }

    byte at(int position) {
        return bytes[position];
    }

    /** The bytes; those from {@link #length} on mean nothing. */
    byte[] bytes() {
        return bytes;
    }

    /** The last byte, or 0 when there is none. */
    byte last() {
        return length == 0 ? 0 : bytes[length - 1];
    }

    String slice(int from, int to) {
        return new String(bytes, from, to - from, UTF_8);
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
