package dev.parley.codec;

import java.util.function.IntPredicate;

/** Recognizes ASCII characters in the bytes of a message, for detection. */
public final class Ascii {
    private Ascii() {}

    /** Whether these characters start at an index; those beyond ASCII mean the bytes of ISO 8859-1. */
    public static boolean startsWith(byte[] wire, int from, String ascii) {
        if (wire.length - from < ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (wire[from + i] != (byte) ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether these letters start at an index, in any case. */
    public static boolean startsWithLetters(byte[] wire, int from, String letters) {
        if (wire.length - from < letters.length()) {
            return false;
        }
        for (int i = 0; i < letters.length(); i++) {
            if ((wire[from + i] | 0x20) != (letters.charAt(i) | 0x20)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a range is a word of letters, in any case. */
    public static boolean isWord(byte[] wire, int from, int to, String letters) {
        return to - from == letters.length() && startsWithLetters(wire, from, letters);
    }

    /** Whether the byte is a letter or digit of ASCII. */
    public static boolean isAlphanumeric(int b) {
        return (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z');
    }

    /** Whether the byte is a space, tab, line feed or carriage return. */
    public static boolean isSpace(int b) {
        return b == ' ' || b == '\t' || b == '\n' || b == '\r';
    }

    /** Index of the first byte at or after an index that is not white space; the length if there is none. */
    public static int skipSpaces(byte[] wire, int from) {
        return skipSpaces(wire, from, wire.length);
    }

    /** The same up to an end. */
    public static int skipSpaces(byte[] wire, int from, int end) {
        int at = from;
        while (at < end && isSpace(wire[at])) {
            at++;
        }
        return at;
    }

    /** Index after the line feed of the line with an index; the length without one. */
    public static int afterLine(byte[] wire, int from) {
        return Math.min(skip(wire, from, wire.length, b -> b != '\n') + 1, wire.length);
    }

    /** Index of the first byte at or after an index that is not one of these; the end if there is none. */
    public static int skip(byte[] wire, int from, int end, IntPredicate bytes) {
        int at = from;
        while (at < end && bytes.test(wire[at])) {
            at++;
        }
        return at;
    }

    /** Index after the last byte before the end that is not one of these; the start if there is none. */
    public static int skipBack(byte[] wire, int from, int end, IntPredicate bytes) {
        int at = end;
        while (at > from && bytes.test(wire[at - 1])) {
            at--;
        }
        return at;
    }

    /** Index before the end at or after another one at which these characters start; the end if there is none. */
    public static int find(byte[] wire, int from, int end, String ascii) {
        int at = from;
        while (at < end && !startsWith(wire, at, ascii)) {
            at++;
        }
        return at;
    }

    /** Index after the last byte before the end that is not white space; the start if there is none. */
    public static int trimEnd(byte[] wire, int from, int end) {
        int at = end;
        while (at > from && isSpace(wire[at - 1])) {
            at--;
        }
        return at;
    }

    /** Whether a bracket opens a tag such as {@code <eos>}, after which the line or the text ends. */
    public static boolean isLastTag(byte[] wire, int open, int end) {
        int at = skip(wire, open + 1, end, b -> isAlphanumeric(b) || b == '_');
        return at > open + 1 && at < end && wire[at] == '>' && (at + 1 == end || isSpace(wire[at + 1]));
    }

    /** Index of the first byte at or after an index that is neither a letter nor a digit; the end if there is none. */
    public static int wordEnd(byte[] wire, int from, int end) {
        int at = from;
        while (at < end && isAlphanumeric(wire[at])) {
            at++;
        }
        return at;
    }

    /** Index after the string in quotes that opens at an index; the end if it is not closed before. */
    public static int afterString(byte[] wire, int quote, int end) {
        int at = quote + 1;
        while (at < end && wire[at] != '"') {
            at += wire[at] == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, end);
    }
}
