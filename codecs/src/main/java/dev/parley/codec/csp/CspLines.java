package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Reads lines off bytes from left to right. Carriage returns before a line feed belong to the end of the line, and blanks at its end are
 * dropped. A tab, and a carriage return elsewhere, reads as a blank.
 */
final class CspLines {

    /** Most letters of a word that {@link #packed} tells from all others; no word that CSP/1 defines has more. */
    private static final int PACKED_LENGTH = Long.BYTES;

    private final byte[] bytes;
    private int start;
    private int end;
    private int next;
    private boolean ascii;
    private int keyEnd;
    private long key;

    CspLines(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Moves to the next line; false when there is none. */
    boolean next() {
        byte[] bytes = this.bytes;
        int at = next;
        if (at >= bytes.length) {
            return false;
        }
        start = at;
        long packed = 0;
        if (bytes[at] >= 'A' && bytes[at] <= 'Z') {
            do {
                packed = packed << Byte.SIZE | bytes[at++];
            } while (at < bytes.length && isKeyByte(bytes[at]));
        }
        key = packed;
        keyEnd = at;
        boolean printable = true;
        for (; at < bytes.length; at++) {
            byte b = bytes[at];
            if (b < ' ') {
                if (b == '\n') {
                    break;
                }
                printable = false;
            }
        }
        ascii = printable;
        end = trimmedEnd(bytes, start, at);
        next = at + 1;
        return true;
    }

    /** Moves behind the white space at the start of the message; the next line starts there. */
    void skipWhiteSpace(int from) {
        next = from;
        while (next < bytes.length && isWhiteSpace(bytes[next])) {
            next++;
        }
    }

    byte[] bytes() {
        return bytes;
    }

    /** Index of the first byte of the line. */
    int start() {
        return start;
    }

    /** Index after the last byte of the line that is not white space. */
    int end() {
        return end;
    }

    /** Index of the first byte of the next line, at most one more than the message's length. */
    int nextStart() {
        return next;
    }

    boolean isBlank() {
        return end == start;
    }

    /** Whether the line is the word and nothing else, not even a blank at its end. */
    boolean isExactly(byte[] word) {
        if (!isWord(bytes, start, end, word)) {
            return false;
        }
        int at = end;
        while (at < bytes.length && bytes[at] == '\r') {
            at++;
        }
        return at == bytes.length || bytes[at] == '\n';
    }

    /**
     * Whether the line starts with a key: an upper-case letter, then upper-case letters, digits and underscores up to a blank or the end of
     * the line. If so, {@link #keyEnd} and {@link #key} tell which it is.
     */
    boolean startsWithKey() {
        return keyEnd > start && (keyEnd == end || isBlank(bytes[keyEnd]));
    }

    /** Index after the key that the line starts with. */
    int keyEnd() {
        return keyEnd;
    }

    /** The key that the line starts with, as {@link #packed} gives it. */
    long key() {
        return keyEnd - start > PACKED_LENGTH ? 0 : key;
    }

    /** A number that stands for an ASCII word of up to eight letters and for no other; 0 for longer ones. */
    static long packed(String word) {
        long packed = 0;
        for (int i = 0; i < word.length(); i++) {
            packed = packed << Byte.SIZE | word.charAt(i);
        }
        return word.length() > PACKED_LENGTH ? 0 : packed;
    }

    /** The piece of the line between two indexes as {@link #packed} gives it; 0 or less for what is no ASCII word of up to eight letters. */
    long packed(int from, int to) {
        if (from == to || to - from > PACKED_LENGTH || bytes[from] == 0) {
            return 0;
        }
        long packed = 0;
        for (int i = from; i < to; i++) {
            packed = packed << Byte.SIZE | bytes[i];
        }
        return packed;
    }

    /** Index of the first byte at or after the given one that is no blank, at most the line's end. */
    int skipBlanks(int from) {
        int at = from;
        while (at < end && isBlank(bytes[at])) {
            at++;
        }
        return at;
    }

    /** Index of the first blank at or after the given index, at most the line's end. */
    int wordEnd(int from) {
        int at = from;
        while (at < end && !isBlank(bytes[at])) {
            at++;
        }
        return at;
    }

    /** A piece of the line as text. */
    String text(int from, int to) {
        if (from == to) {
            return "";
        }
        return ascii ? new String(bytes, from, to - from, ISO_8859_1) : normalized(from, to);
    }

    /**
     * Everything from an index to the end of the message as text, without blanks at its start and white space at its end; line ends as line
     * feeds. Leaves no further line.
     */
    String rest(int index) {
        int last = trimmedEnd(bytes, index, bytes.length);
        int from = index;
        while (from < last && isBlank(bytes[from])) {
            from++;
        }
        next = bytes.length;
        return normalized(from, last);
    }

    private String normalized(int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '\t' && bytes[at] != '\r') {
            at++;
        }
        if (at == to) {
            return new String(bytes, from, to - from, UTF_8);
        }
        byte[] copy = new byte[to - from];
        int length = at - from;
        System.arraycopy(bytes, from, copy, 0, length);
        while (at < to) {
            int run = at;
            while (run < to && bytes[run] == '\r') {
                run++;
            }
            if (run > at && run < to && bytes[run] == '\n') {
                at = run;
            } else if (run > at) {
                Arrays.fill(copy, length, length + run - at, (byte) ' ');
                length += run - at;
                at = run;
            } else {
                copy[length++] = bytes[at] == '\t' ? (byte) ' ' : bytes[at];
                at++;
            }
        }
        return new String(copy, 0, length, UTF_8);
    }

    static boolean isWord(byte[] bytes, int from, int to, byte[] word) {
        return to - from == word.length && Arrays.equals(bytes, from, to, word, 0, word.length);
    }

    static boolean isBlank(int b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    static boolean isKeyByte(int b) {
        return (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_';
    }

    private static boolean isWhiteSpace(byte b) {
        return isBlank(b) || b == '\n';
    }

    private static int trimmedEnd(byte[] bytes, int from, int to) {
        int at = to;
        while (at > from && isWhiteSpace(bytes[at - 1])) {
            at--;
        }
        return at;
    }
}
