package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import java.util.List;
import java.util.stream.Stream;

/** The keys and the white space of CSP/1, for programs that look for nearly CSP/1. */
public final class CspWords {
    /** The keys of the header in document order. */
    public static final List<String> HEADER_KEYS =
            Stream.of(CspHeader.Key.values()).map(Enum::name).toList();

    /** The names of blocks, and their keys. */
    public static final List<String> BLOCK_KEYS = Stream.concat(
                    Stream.of(CspBlock.values()), Stream.of(CspKey.values()))
            .map(Enum::name)
            .toList();

    private static final int NEXT_LINE = 0x85;
    private static final int ZERO_WIDTH_SPACE = 0x200B;
    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private CspWords() {}

    /** Whether a line starts with a key whose value is one name, which cannot continue on further lines. */
    public static boolean isOneLine(byte[] text, int line) {
        return CspKey.isOneLine(CspBytes.firstLetters(text, line));
    }

    /** Whether the line that starts at an index is CSP/1 and another line follows. */
    public static boolean isFirstLine(byte[] text, int from) {
        if (!Ascii.startsWith(text, from, "CSP/1")) {
            return false;
        }
        int at = Ascii.skip(text, from + "CSP/1".length(), text.length, CspWords::isBlank);
        return at < text.length && text[at] == '\n';
    }

    /** Whether a byte is a space of CSP/1. A carriage return that does not end a line counts as one. */
    public static boolean isBlank(int b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    /** Number of bytes of white space at an index that CSP/1 reads as part of a word; 0 if there is none. */
    public static int otherSpace(byte[] bytes, int at) {
        if (at >= bytes.length) {
            return 0;
        }
        int first = bytes[at] & 0xFF;
        if (first < 0x80) {
            return first == 0x0B || first == 0x0C ? 1 : 0;
        }
        int length = first < 0xE0 ? 2 : 3;
        if (first < 0xC2 || first > 0xEF || bytes.length - at < length) {
            return 0;
        }
        int character = new String(bytes, at, length, UTF_8).codePointAt(0);
        boolean isSpace = Character.isSpaceChar(character)
                || character == NEXT_LINE
                || character == ZERO_WIDTH_SPACE
                || character == BYTE_ORDER_MARK;
        return isSpace ? length : 0;
    }

    /** Whether a key may continue with the character. It starts with a letter. */
    public static boolean isKeyByte(int b) {
        return (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_';
    }
}
