package dev.parley.codec;

/** UTF-8 checks for decoders, which run before bytes become strings. */
public final class Utf8 {

    /** Length of a byte order mark in bytes. */
    public static final int MARK_LENGTH = 3;

    private static final String MARK = "\u00EF\u00BB\u00BF";

    private Utf8() {}

    /** Whether the bytes start with a byte order mark (EF BB BF). */
    public static boolean startsWithMark(byte[] bytes) {
        return Ascii.startsWith(bytes, 0, MARK);
    }

    /**
     * Finds bytes that are not well-formed UTF-8 (Unicode, table 3-7: no overlong forms, no surrogates, no code point
     * above U+10FFFF).
     *
     * @param bytes the bytes, not changed
     * @param from index of the first byte to check
     * @param to index after the last byte to check; a character that crosses it is ill-formed
     * @return index of the first byte of the first ill-formed sequence; -1 if there is none
     */
    public static int firstInvalid(byte[] bytes, int from, int to) {
        int at = afterAscii(bytes, from, to);
        while (at < to) {
            int length = sequenceLength(bytes, at, to);
            if (length == 0) {
                return at;
            }
            at = afterAscii(bytes, at + length, to);
        }
        return -1;
    }

    /** Index of the first byte of a range that is not ASCII; the end if there is none. */
    private static int afterAscii(byte[] bytes, int from, int to) {
        int at = from;
        while (at <= to - SwarBytes.COUNT) {
            long marks = SwarBytes.beyondAscii(SwarBytes.at(bytes, at));
            if (marks != 0) {
                return at + SwarBytes.first(marks);
            }
            at += SwarBytes.COUNT;
        }
        while (at < to && bytes[at] >= 0) {
            at++;
        }
        return at;
    }

    /** Whether a string has a UTF-8 form: it has no unpaired surrogate. */
    public static boolean canEncode(String text) {
        return firstLoneSurrogate(text) < 0;
    }

    /** Index of the first unpaired surrogate, without which a string has a UTF-8 form; -1 if there is none. */
    public static int firstLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    /** Length of the character that starts with a byte above 0x7F; 0 if it is ill-formed. */
    private static int sequenceLength(byte[] bytes, int at, int to) {
        int lead = bytes[at] & 0xFF;
        if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (to - at < length) {
            return 0;
        }
        int second = bytes[at + 1] & 0xFF;
        int lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < lowest || second > highest) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((bytes[at + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
