package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import java.util.Arrays;

/**
 * Splits bytes into lines from left to right. Drops carriage returns before a line feed and spaces at the end of a
 * line. Reads a tab, and a carriage return elsewhere, as a space.
 */
final class CspLines {
    private final byte[] bytes;
    private int start;
    private int end;
    private int next;
    private long word;
    private int wordEnd;
    private boolean plain;
    private boolean allPlain = true;

    CspLines(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Moves to the next line; false when there is none. */
    boolean next() {
        if (next >= bytes.length) {
            return false;
        }
        start = next;
        int at = CspBytes.skipPlain(bytes, start);
        plain = at == bytes.length || bytes[at] == '\n';
        if (!plain) {
            allPlain = false;
            while (at < bytes.length && bytes[at] != '\n') {
                at++;
            }
        }
        next = at + 1;
        end = Ascii.trimEnd(bytes, start, at);
        word = CspBytes.firstLetters(bytes, start);
        wordEnd = start + CspBytes.length(word);
        if (wordEnd < end && !CspWords.isBlank(bytes[wordEnd])) {
            word = 0;
        }
        return true;
    }

    /** Moves past the white space at an index, where the next line then starts. */
    void skipWhiteSpace(int from) {
        next = Ascii.skipSpaces(bytes, from);
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

    /** Index of the first byte of the next line, at most the message's length plus one. */
    int nextStart() {
        return next;
    }

    boolean isBlank() {
        return end == start;
    }

    /**
     * Whether the whole message was read and contains only printable ASCII and line feeds, so that it is valid UTF-8.
     */
    boolean wereAllPlain() {
        return allPlain && next >= bytes.length;
    }

    /** The line's first word in the form of {@link CspBytes#packed}. It starts at the start of the line. */
    long word() {
        return word;
    }

    /** Index after the line's first word. */
    int wordEnd() {
        return word == 0 ? wordEnd(start) : wordEnd;
    }

    /**
     * Whether the line's first word is a key: an upper-case letter, then upper-case letters, digits and underscores.
     */
    boolean startsWithKey() {
        if (start == end || bytes[start] < 'A' || bytes[start] > 'Z') {
            return false;
        }
        int at = start + 1;
        while (at < end && CspWords.isKeyByte(bytes[at])) {
            at++;
        }
        return at == end || CspWords.isBlank(bytes[at]);
    }

    /** Whether the line equals the word, without even a space at its end. */
    boolean isExactly(byte[] word) {
        if (!CspBytes.stands(word, bytes, start, end)) {
            return false;
        }
        int at = Ascii.skip(bytes, end, bytes.length, b -> b == '\r');
        return at == bytes.length || bytes[at] == '\n';
    }

    /** Index of the first byte at or after the given one that is not a space, at most the line's end. */
    int skipBlanks(int from) {
        int at = from;
        while (at < end && CspWords.isBlank(bytes[at])) {
            at++;
        }
        return at;
    }

    /** Index of the first space at or after the given index, at most the line's end. */
    int wordEnd(int from) {
        int at = from;
        while (at < end && !CspWords.isBlank(bytes[at])) {
            at++;
        }
        return at;
    }

    /** A range of the line as a string. */
    String text(int from, int to) {
        return text(from, to, plain);
    }

    /** A range of one line, plain or not, as a string. */
    String text(int from, int to, boolean plain) {
        if (from == to) {
            return "";
        }
        return plain ? new String(bytes, from, to - from, ISO_8859_1) : normalized(from, to, false);
    }

    /** A range of several lines as a string, with one line feed for each line end and the spaces before it. */
    String textOfLines(int from, int to) {
        return normalized(from, to, true);
    }

    /**
     * Everything from an index to the end of the message as a string, without spaces at its start and white space at
     * its end. Line ends become line feeds; spaces before them stay. Leaves no further line.
     */
    String rest(int index) {
        int last = Ascii.trimEnd(bytes, index, bytes.length);
        int from = Ascii.skip(bytes, index, last, CspWords::isBlank);
        // This line was already checked when it became the current one.
        int at = plain ? next - 1 : CspBytes.skipPlain(bytes, from);
        next = bytes.length;
        while (at < last && bytes[at] == '\n') {
            at = CspBytes.skipPlain(bytes, at + 1);
        }
        allPlain &= at >= last;
        return text(from, last, at >= last);
    }

    /**
     * Text with spaces for tabs and carriage returns, and line feeds for line ends; optionally without the spaces
     * before them.
     */
    private String normalized(int from, int to, boolean trimming) {
        byte[] text = Arrays.copyOfRange(bytes, from, to);
        int length = 0;
        int lineEnd = 0;
        for (byte b : text) {
            if (b == '\n') {
                length = lineEnd;
            }
            text[length++] = CspWords.isBlank(b) ? (byte) ' ' : b;
            if (b != '\r' && !(trimming && CspWords.isBlank(b))) {
                lineEnd = length;
            }
        }
        return new String(text, 0, length, UTF_8);
    }
}
