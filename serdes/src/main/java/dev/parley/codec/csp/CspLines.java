package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Reads lines off bytes from left to right. Carriage returns before a line feed belong to the end of the line, and blanks and tabs at its end
 * are dropped.
 */
final class CspLines {
    private final byte[] bytes;
    private int start;
    private int end;
    private int next;
    private boolean plain;

    CspLines(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Moves to the next line; false when there is none. */
    boolean next() {
        if (next >= bytes.length) {
            return false;
        }
        start = next;
        int at = start;
        boolean controls = false;
        for (; at < bytes.length; at++) {
            byte b = bytes[at];
            if (b < ' ' && b >= 0) {
                if (b == '\n') {
                    break;
                }
                controls = true;
            }
        }
        plain = !controls;
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
     * Index after the key that the line starts with, or -1 when it starts with none. A key is an upper-case letter, then upper-case letters,
     * digits and underscores up to a blank or the end of the line.
     */
    int keyEnd() {
        if (start == end || bytes[start] < 'A' || bytes[start] > 'Z') {
            return -1;
        }
        int at = start + 1;
        while (at < end && isKeyByte(bytes[at])) {
            at++;
        }
        return at == end || isBlank(bytes[at]) ? at : -1;
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

    /** A piece of the line as text, tabs as blanks. */
    String text(int from, int to) {
        if (from == to) {
            return "";
        }
        return plain || !contains(from, to, (byte) '\t')
                ? new String(bytes, from, to - from, UTF_8)
                : normalized(from, to);
    }

    /**
     * Everything from an index to the end of the message as text, without the white space at its end; tabs as blanks, and line ends as line
     * feeds. Leaves no further line.
     */
    String rest(int from) {
        int last = bytes.length;
        while (last > from && isWhiteSpace(bytes[last - 1])) {
            last--;
        }
        next = bytes.length;
        if (from == last) {
            return "";
        }
        return contains(from, last, (byte) '\t') || contains(from, last, (byte) '\r')
                ? normalized(from, last)
                : new String(bytes, from, last - from, UTF_8);
    }

    private String normalized(int from, int to) {
        byte[] copy = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b == '\n') {
                while (length > 0 && copy[length - 1] == '\r') {
                    length--;
                }
            }
            copy[length++] = b == '\t' ? (byte) ' ' : b;
        }
        return new String(copy, 0, length, UTF_8);
    }

    private boolean contains(int from, int to, byte wanted) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == wanted) {
                return true;
            }
        }
        return false;
    }

    static boolean isWord(byte[] bytes, int from, int to, byte[] word) {
        return to - from == word.length && Arrays.equals(bytes, from, to, word, 0, word.length);
    }

    static boolean isBlank(int b) {
        return b == ' ' || b == '\t';
    }

    static boolean isKeyByte(int b) {
        return (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_';
    }

    private static boolean isWhiteSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }

    private static int trimmedEnd(byte[] bytes, int from, int to) {
        int at = to;
        while (at > from && isWhiteSpace(bytes[at - 1])) {
            at--;
        }
        return at;
    }
}
