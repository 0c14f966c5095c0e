package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.SwarBytes;

/** Content of JSON strings: plain bytes and escapes. */
public final class JsonStrings {

    private static final int SHORT = 2;
    private static final int UNIT = 6;
    private static final int PAIR = 2 * UNIT;

    /** The character of a short escape, by the character after the backslash. */
    private static final byte[] SHORT_ESCAPES = new byte[128];

    static {
        String kinds = "\"\\/bfnrt";
        String characters = "\"\\/\b\f\n\r\t";
        for (int i = 0; i < kinds.length(); i++) {
            SHORT_ESCAPES[kinds.charAt(i)] = (byte) characters.charAt(i);
        }
    }

    private JsonStrings() {}

    /** Index of the first quote, backslash or control character at or after an index, or the end. */
    static int afterPlain(byte[] bytes, int from) {
        int at = from;
        while (at <= bytes.length - SwarBytes.COUNT) {
            long eight = SwarBytes.at(bytes, at);
            long marks = SwarBytes.equal(eight, '"') | SwarBytes.equal(eight, '\\') | SwarBytes.below(eight, ' ');
            if (marks != 0) {
                return at + SwarBytes.first(marks);
            }
            at += SwarBytes.COUNT;
        }
        while (at < bytes.length && isPlain(bytes[at])) {
            at++;
        }
        return at;
    }

    private static boolean isPlain(byte value) {
        boolean control = value >= 0 && value < ' ';
        return !control && value != '"' && value != '\\';
    }

    /** Length of the escape at a backslash, a surrogate pair counting as one; 0 if JSON does not define it. */
    public static int escapeLength(byte[] wire, int backslash) {
        if (backslash + 1 == wire.length) {
            return 0;
        }
        byte kind = wire[backslash + 1];
        if (kind == 'u') {
            return unicodeLength(wire, backslash);
        }
        return kind > 0 && SHORT_ESCAPES[kind] != 0 ? SHORT : 0;
    }

    /** Whether the valid escape at a backslash is necessary and the shortest one; false if it has four digits. */
    static boolean isShortest(byte[] wire, int backslash) {
        return wire[backslash + 1] != 'u' && wire[backslash + 1] != '/';
    }

    /** Length of an escape of a valid string that represents this character. */
    public static int escapeLength(byte[] wire, int backslash, int codePoint) {
        if (wire[backslash + 1] != 'u') {
            return SHORT;
        }
        return Character.isBmpCodePoint(codePoint) ? UNIT : PAIR;
    }

    private static int unicodeLength(byte[] wire, int backslash) {
        int unit = unit(wire, backslash);
        if (unit < 0) {
            return 0;
        }
        if (!Character.isSurrogate((char) unit)) {
            return UNIT;
        }
        boolean pair = unicodeFollows(wire, backslash)
                && Character.isHighSurrogate((char) unit)
                && isLowSurrogate(unit(wire, backslash + UNIT));
        return pair ? PAIR : 0;
    }

    private static boolean isLowSurrogate(int unit) {
        return unit >= 0 && Character.isLowSurrogate((char) unit);
    }

    /** Whether another escape follows an escape of four digits. */
    static boolean unicodeFollows(byte[] wire, int backslash) {
        int next = backslash + UNIT;
        return next + 1 < wire.length && wire[next] == '\\' && wire[next + 1] == 'u';
    }

    /** The UTF-16 unit of a four-digit escape; -1 if the digits are missing. */
    static int unit(byte[] wire, int backslash) {
        if (backslash + UNIT > wire.length) {
            return -1;
        }
        int unit = 0;
        for (int at = backslash + 2; at < backslash + UNIT; at++) {
            int digit = Character.digit(wire[at], 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }

    /** The character that an escape of a valid string represents. */
    public static int codePoint(byte[] wire, int backslash) {
        byte kind = wire[backslash + 1];
        if (kind != 'u') {
            return SHORT_ESCAPES[kind];
        }
        char unit = (char) unit(wire, backslash);
        return Character.isSurrogate(unit) ? Character.toCodePoint(unit, (char) unit(wire, backslash + UNIT)) : unit;
    }

    /** The text of a valid string with escapes. */
    static String unescaped(byte[] wire, int from, int to) {
        // No character takes more bytes than its escape.
        byte[] text = new byte[to - from];
        int length = 0;
        int at = from;
        while (at < to) {
            if (wire[at] == '\\') {
                int codePoint = codePoint(wire, at);
                length = put(codePoint, text, length);
                at += escapeLength(wire, at, codePoint);
            } else {
                text[length++] = wire[at++];
            }
        }
        return new String(text, 0, length, UTF_8);
    }

    /**
     * The text of the content of a JSON string in UTF-8.
     *
     * @return null if an escape is invalid
     */
    public static byte[] content(byte[] json, int from, int to) {
        for (int at = from; at < to; at++) {
            if (json[at] == '\\') {
                int length = escapeLength(json, at);
                if (length == 0 || at + length > to) {
                    return null;
                }
                at += length - 1;
            }
        }
        return unescaped(json, from, to).getBytes(UTF_8);
    }

    /** Writes a character as UTF-8. Returns the index after it. */
    static int put(int codePoint, byte[] out, int from) {
        if (codePoint < 0x80) {
            out[from] = (byte) codePoint;
            return from + 1;
        }
        byte[] utf8 = Character.toString(codePoint).getBytes(UTF_8);
        System.arraycopy(utf8, 0, out, from, utf8.length);
        return from + utf8.length;
    }
}
