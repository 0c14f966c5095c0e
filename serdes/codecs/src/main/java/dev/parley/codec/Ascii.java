package dev.parley.codec;

/** Recognizes ASCII characters in the bytes of a message, for detection. */
public final class Ascii {
    private Ascii() {}

    /** Whether these characters start at an index. */
    public static boolean startsWith(byte[] wire, int from, String ascii) {
        if (wire.length - from < ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (wire[from + i] != ascii.charAt(i)) {
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

    /** Whether the byte is a letter or digit of ASCII. */
    public static boolean isAlphanumeric(byte b) {
        return (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z');
    }

    /** Whether the byte is a space, tab, line feed or carriage return. */
    public static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\n' || b == '\r';
    }

    /** Index of the first byte at or after an index that is not white space; the length if there is none. */
    public static int skipSpaces(byte[] wire, int from) {
        int at = from;
        while (at < wire.length && isSpace(wire[at])) {
            at++;
        }
        return at;
    }

    /** Index after the line feed of the line with an index; the length without one. */
    public static int afterLine(byte[] wire, int from) {
        int at = from;
        while (at < wire.length && wire[at] != '\n') {
            at++;
        }
        return Math.min(at + 1, wire.length);
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
        int at = open + 1;
        while (at < end && (isAlphanumeric(wire[at]) || wire[at] == '_')) {
            at++;
        }
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
