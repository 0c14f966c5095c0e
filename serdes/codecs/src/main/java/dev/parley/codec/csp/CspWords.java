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

    /** Characters of lists, tables, quotations and emphasis, and blanks, that may precede a key. */
    private static final String MARKS = "#*>-_`|\"' \t\r";

    /** Those that may follow a key. */
    private static final String MARKS_AFTER = "*_`|\"' \t\r";

    /** First byte of U+2000 to U+2FFF: bullets, dashes, quotation marks, arrows and parts of tables. */
    private static final byte SYMBOL = (byte) 0xE2;

    private static final int SYMBOL_LENGTH = 3;

    private static final int NEXT_LINE = 0x85;
    private static final int ZERO_WIDTH_SPACE = 0x200B;
    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private CspWords() {}

    /** Whether a line starts with a key whose value is one name, which cannot continue on further lines. */
    public static boolean isOneLine(byte[] text, int line) {
        return CspKey.isOneLine(CspBytes.firstLetters(text, line));
    }

    /** Whether the first two lines of a block start at an index: its name before a space, and one of its keys. */
    public static boolean startsBlock(byte[] text, int from) {
        CspBlock block = CspBlock.named(CspBytes.firstLetters(text, from));
        int key = Ascii.afterLine(text, from);
        long word = block == null || key >= text.length ? 0 : CspBytes.firstLetters(text, key);
        int after = key + CspBytes.length(word);
        return word != 0 && block.indexOf(word) >= 0 && (after == text.length || text[after] <= ' ');
    }

    /** Index after the white space, the marks and the number of a list item at an index, at most the end. */
    public static int afterMarks(byte[] bytes, int from, int end) {
        int at = from;
        int length = 1;
        while (at < end && length > 0) {
            int space = bytes[at] == SYMBOL ? SYMBOL_LENGTH : otherSpace(bytes, at);
            length = MARKS.indexOf(bytes[at]) >= 0 ? 1 : Math.max(space, listNumber(bytes, at, end));
            at += length;
        }
        return Math.min(at, end);
    }

    /** Number of bytes of a number with a period or parenthesis at an index; 0 if there is none. */
    private static int listNumber(byte[] bytes, int at, int end) {
        int after = Ascii.skip(bytes, at, end, b -> b >= '0' && b <= '9');
        return after > at && after < end && (bytes[after] == '.' || bytes[after] == ')') ? after + 1 - at : 0;
    }

    /** Whether a key in any case is at an index of a line, before its end, white space, ':', '=' or a mark. */
    public static boolean isNearly(String key, byte[] bytes, int at, int end) {
        int after = at + key.length();
        return after <= end
                && Ascii.startsWithLetters(bytes, at, key)
                && (after == end
                        || (":=" + MARKS_AFTER).indexOf(bytes[after]) >= 0
                        || bytes[after] == SYMBOL
                        || otherSpace(bytes, after) > 0);
    }

    /** Whether a key is {@link #isNearly nearly} at an index, in upper case or before a colon or an equals sign. */
    public static boolean isProbably(String key, byte[] bytes, int at, int end) {
        return isNearly(key, bytes, at, end)
                && (Ascii.startsWith(bytes, at, key) || separator(bytes, at + key.length(), end) >= 0);
    }

    /** Index of the colon or equals sign at an index of a line, after spaces and marks; -1 if there is none. */
    public static int separator(byte[] bytes, int from, int end) {
        int at = Ascii.skip(bytes, from, end, b -> MARKS_AFTER.indexOf(b) >= 0);
        return at < end && (bytes[at] == ':' || bytes[at] == '=') ? at : -1;
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
