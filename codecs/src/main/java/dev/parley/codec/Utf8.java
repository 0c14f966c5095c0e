package dev.parley.codec;

/** What decoders need to know of UTF-8 before they may make strings of bytes. */
public final class Utf8 {

    /** Number of bytes of a byte order mark. */
    public static final int MARK_LENGTH = 3;

    private Utf8() {}

    /** Whether the bytes start with a byte order mark (EF BB BF). */
    public static boolean startsWithMark(byte[] bytes) {
        return bytes.length >= MARK_LENGTH
                && bytes[0] == (byte) 0xEF
                && bytes[1] == (byte) 0xBB
                && bytes[2] == (byte) 0xBF;
    }

    /**
     * Looks for bytes that are not well-formed UTF-8 (Unicode, table 3-7: no overlong forms, no surrogates, nothing beyond U+10FFFF).
     *
     * @param bytes the bytes, not changed
     * @param from index of the first byte to check
     * @param to index after the last byte to check; a character that runs beyond it is not well formed
     * @return index of the first byte of the first ill-formed sequence, or -1 when all is well
     */
    public static int firstInvalid(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (to - at >= EightBytes.COUNT && EightBytes.beyondAscii(EightBytes.at(bytes, at)) == 0) {
                at += EightBytes.COUNT;
            } else if (bytes[at] >= 0) {
                at++;
            } else {
                int length = sequenceLength(bytes, at, to);
                if (length == 0) {
                    return at;
                }
                at += length;
            }
        }
        return -1;
    }

    /** Whether a text has a UTF-8 form: no half of a surrogate pair stands alone. */
    public static boolean canEncode(String text) {
        return firstLoneSurrogate(text) < 0;
    }

    /** Index of the first half of a surrogate pair that stands alone, so that the text has no UTF-8 form; -1 when all is well. */
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

    /** Length of the character that starts with a byte above 0x7F, or 0 when it is ill-formed. */
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
