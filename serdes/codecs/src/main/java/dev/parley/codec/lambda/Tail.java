package dev.parley.codec.lambda;

import dev.parley.avro.LambdaFloor;
import dev.parley.codec.Ascii;
import dev.parley.codec.Decimal;

/**
 * The end of a message: a checksum directly after the preceding text, and before it, or without one, a floor mark
 * (docs/protocols.md L2, L9).
 *
 * @param bodyEnd index after the last byte that is neither white space nor part of the tail
 * @param payloadEnd index after the last byte of a possible encrypted payload, which takes precedence over a checksum
 * @param floor the floor mark, or null
 * @param floorAt index of the floor mark
 * @param checksum the checksum, or null; {@link Integer#MAX_VALUE}, which no message reaches, if it exceeds an int
 * @param checksumAt index of the checksum's bracket
 */
record Tail(int bodyEnd, int payloadEnd, LambdaFloor floor, int floorAt, Integer checksum, int checksumAt) {

    /** The tail of the message between two indexes, including its checksum. */
    static Tail of(byte[] wire, int from, int to) {
        int end = Ascii.trimEnd(wire, from, to);
        int bracket = checksumStart(wire, from, end);
        return bracket < 0
                ? withFloor(wire, from, end, -1, null, -1)
                : withFloor(wire, from, bracket, end, checksum(wire, bracket + 2, end - 1), bracket);
    }

    /** The tail of the message between two indexes, with a closing {@code [n12]} as a list. */
    static Tail withoutChecksum(byte[] wire, int from, int to) {
        return withFloor(wire, from, Ascii.trimEnd(wire, from, to), -1, null, -1);
    }

    /**
     * Whether a list at an index reads {@code [n12]} without insignificant white space and ends the message, so that it
     * would be a checksum without text before it.
     *
     * @param to index after the last byte to read
     */
    boolean couldBeChecksum(byte[] wire, int at, int to) {
        return floor == null && checksum == null && isNumberList(wire, at, to);
    }

    /** Whether a list at an index reads {@code [n12]} without insignificant white space, and ends there. */
    static boolean isNumberList(byte[] wire, int at, int to) {
        if (wire[at] != '[') {
            return false;
        }
        int letter = Ascii.skipSpaces(wire, at + 1, to);
        if (letter == to || wire[letter] != 'n') {
            return false;
        }
        int digits = Alphabet.digitsEnd(wire, letter + 1, to);
        int bracket = Ascii.skipSpaces(wire, digits, to);
        return digits > letter + 1 && bracket == to - 1 && wire[bracket] == ']';
    }

    /** Whether there is neither a floor mark nor a checksum. */
    boolean isEmpty() {
        return floor == null && checksum == null;
    }

    /** Whether the first character of the floor mark also ends a floor mark one byte earlier, as in {@code ><<}. */
    boolean overlapsFloor(byte[] wire, int from) {
        return floor != null && floorAt > from && Alphabet.floorAt(wire, floorAt - 1, wire.length) != null;
    }

    /** The same tail with its floor mark as part of the body. */
    Tail withoutFloor(byte[] wire, int from) {
        int end = Ascii.trimEnd(wire, from, checksumAt < 0 ? wire.length : checksumAt);
        return new Tail(end, checksum == null ? end : payloadEnd, null, -1, checksum, checksumAt);
    }

    private static Tail withFloor(byte[] wire, int from, int end, int payloadEnd, Integer checksum, int checksumAt) {
        int mark = floorStart(wire, from, end);
        int bodyEnd = mark < 0 ? end : Ascii.trimEnd(wire, from, mark);
        LambdaFloor floor =
                mark < 0 ? null : wire[end - 1] == '-' ? LambdaFloor.CONTINUE : Alphabet.floorAt(wire, mark, end);
        return new Tail(bodyEnd, payloadEnd < 0 ? bodyEnd : payloadEnd, floor, mark, checksum, checksumAt);
    }

    /**
     * Index of a floor mark at the end of a range; -1 if there is none. White space is insignificant between two
     * hyphens, but not between angle brackets.
     */
    private static int floorStart(byte[] wire, int from, int end) {
        if (end > from && wire[end - 1] == '-') {
            int before = Ascii.trimEnd(wire, from, end - 1);
            return before > from && wire[before - 1] == '-' ? before - 1 : -1;
        }
        int at = end - Alphabet.FLOOR_LENGTH;
        return at >= from && Alphabet.floorAt(wire, at, end) != null ? at : -1;
    }

    private static int checksumStart(byte[] wire, int from, int end) {
        int at = end - 1;
        if (at < from || wire[at] != ']') {
            return -1;
        }
        int digits = Ascii.skipBack(wire, from, at, Alphabet::isDigit);
        int bracket = digits - 2;
        boolean matches = digits < at && bracket > from && wire[digits - 1] == 'n' && wire[bracket] == '[';
        return matches && !Ascii.isSpace(wire[bracket - 1]) ? bracket : -1;
    }

    /** The digits' value; the largest integer for a larger one, which no checksum equals. */
    private static int checksum(byte[] wire, int from, int to) {
        long value = Decimal.parse(wire, from, to, Integer.MAX_VALUE);
        return value == Decimal.NONE ? Integer.MAX_VALUE : (int) value;
    }
}
