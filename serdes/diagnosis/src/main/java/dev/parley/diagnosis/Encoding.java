package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.codec.Utf8;
import dev.parley.codec.json.JsonStrings;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Base64;

/** Encodings in which a message may be inside a value, one inside the other. */
enum Encoding {
    /** A JSON string with its quotes. */
    JSON_STRING("a JSON string"),
    /** A JSON string in JSON that is itself the content of a JSON string, as in the arguments of tool calls. */
    JSON_IN_STRING("JSON in a JSON string"),
    /** A part of the content of a JSON string, with escapes. */
    PART_OF_JSON_STRING("a JSON string"),
    /** UTF-16, with a byte order mark or with a character of ASCII at its start. */
    UTF_16("UTF-16"),
    /** Base64 of either alphabet, perhaps without padding or on several lines. */
    BASE64("Base64");

    /** Maximum number of encodings around a message. */
    static final int MAX_LAYERS = 3;

    private static final int MIN_BASE64 = 8;
    private static final int BASE64_UNIT = 4;
    private static final int MAX_TEXT_BYTES = 64;
    private static final char REPLACEMENT = '\uFFFD';

    private final String label;

    Encoding(String label) {
        this.label = label;
    }

    /** Its name in a sentence. */
    String label() {
        return label;
    }

    /** The outermost encoding of a text; null if it has none. Looks at each byte at most once. */
    static Encoding of(byte[] text) {
        if (text.length > 1 && text[0] == '"' && text[text.length - 1] == '"') {
            return JSON_STRING;
        }
        if (text.length > 3 && isEscapedQuote(text, 0) && isEscapedQuote(text, text.length - 2)) {
            return JSON_IN_STRING;
        }
        if (charset(text) != null) {
            return UTF_16;
        }
        return isBase64(text, 0, text.length) ? BASE64 : null;
    }

    /** Whether the quote of a JSON string in JSON in a JSON string is here. */
    static boolean isEscapedQuote(byte[] text, int at) {
        return text[at] == '\\' && at + 1 < text.length && text[at + 1] == '"';
    }

    /** The text without its outermost encoding; null if it has none, or a broken one. */
    static byte[] decoded(byte[] text) {
        return decoded(text, of(text));
    }

    private static byte[] decoded(byte[] text, Encoding encoding) {
        if (encoding == null) {
            return null;
        }
        return switch (encoding) {
            case JSON_STRING -> JsonStrings.content(text, 1, text.length - 1);
            case JSON_IN_STRING, PART_OF_JSON_STRING -> JsonStrings.content(text, 0, text.length);
            case UTF_16 -> utf16(text);
            case BASE64 -> base64(text);
        };
    }

    /**
     * The outermost encoding of the range of a message; null if it has none. A range with escapes, but without a quote
     * or control character that is not escaped, is a part of a JSON string: a value of its own may have any form.
     */
    static Encoding ofRange(byte[] range) {
        Encoding encoding = of(range);
        return encoding == null && hasOnlyEscapes(range) ? PART_OF_JSON_STRING : encoding;
    }

    private static boolean hasOnlyEscapes(byte[] text) {
        boolean escaped = false;
        for (int at = 0; at < text.length; at++) {
            if (text[at] == '"' || text[at] >= 0 && text[at] < ' ') {
                return false;
            }
            if (text[at] == '\\') {
                escaped = true;
                at++;
            }
        }
        return escaped;
    }

    /** The bytes of a range without its encodings, up to {@value #MAX_LAYERS}; the range itself if it has none. */
    static byte[] withoutLayers(byte[] range) {
        byte[] inner = range;
        for (int layer = 0; layer < MAX_LAYERS; layer++) {
            byte[] decoded = decoded(inner, ofRange(inner));
            if (decoded == null) {
                return inner;
            }
            inner = decoded;
        }
        return inner;
    }

    /** The byte order of UTF-16; null for any other text. */
    private static Charset charset(byte[] text) {
        if (text.length < 2 || text.length % 2 != 0 || isUtf32(text)) {
            return null;
        }
        int first = text[0] & 0xFF;
        int second = text[1] & 0xFF;
        Charset charset = null;
        if (first == 0xFF && second == 0xFE || second == 0 && first > 0 && first < 0x80) {
            charset = UTF_16LE;
        } else if (first == 0xFE && second == 0xFF || first == 0 && second > 0 && second < 0x80) {
            charset = UTF_16BE;
        }
        return charset != null && startsWithText(text, charset) ? charset : null;
    }

    /** Whether the first characters of a text are those of a text, and none is a control character. */
    private static boolean startsWithText(byte[] text, Charset charset) {
        return new String(text, 0, Math.min(text.length, MAX_TEXT_BYTES), charset)
                .codePoints()
                .allMatch(character -> Character.isDefined(character)
                        && (Ascii.isSpace(character) || !Character.isISOControl(character)));
    }

    /** Whether a text starts with the byte order mark of UTF-32. */
    static boolean isUtf32(byte[] text) {
        return Ascii.startsWith(text, 0, "\0\0\u00FE\u00FF") || Ascii.startsWith(text, 0, "\u00FF\u00FE\0\0");
    }

    private static byte[] utf16(byte[] text) {
        String decoded = new String(text, charset(text));
        if (decoded.indexOf(REPLACEMENT) >= 0) {
            return null;
        }
        byte[] utf8 = decoded.getBytes(UTF_8);
        return Utf8.startsWithMark(utf8) ? Arrays.copyOfRange(utf8, Utf8.MARK_LENGTH, utf8.length) : utf8;
    }

    /** Whether the byte is a digit of Base64, or pads it. */
    static boolean isBase64(int b) {
        return isDigit(b) || b == '=';
    }

    static boolean isBase64(byte[] text, int from, int to) {
        int count = 0;
        int padding = 0;
        for (int at = from; at < to; at++) {
            byte b = text[at];
            if (b == '=') {
                padding++;
            } else if (isDigit(b) && padding == 0) {
                count++;
            } else if (b != '\n' && b != '\r') {
                return false;
            }
        }
        return count + padding >= MIN_BASE64
                && count % BASE64_UNIT != 1
                && padding <= 2
                && (padding == 0 || (count + padding) % BASE64_UNIT == 0);
    }

    private static boolean isDigit(int b) {
        return Ascii.isAlphanumeric(b) || b == '+' || b == '/' || b == '-' || b == '_';
    }

    private static byte[] base64(byte[] text) {
        String digits =
                new String(text, ISO_8859_1).replace('-', '+').replace('_', '/').replace("=", "");
        // Skips line breaks.
        return Base64.getMimeDecoder().decode(digits);
    }
}
