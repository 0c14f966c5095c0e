package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.encoding.GrowingBytes;
import java.util.function.BiConsumer;

/**
 * Collects the bytes of one message, and checks texts of the record while writing. Most are printable ASCII, which is
 * safe except for spaces at either end; {@link CspText} checks all others.
 */
final class CspWriter extends GrowingBytes {

    /** Maximum length for which one pass that copies and checks is faster than separate passes. */
    private static final int MAX_ONE_PASS = 256;

    CspWriter() {
        super(256);
    }

    /** Writes ASCII bytes unchanged. */
    void write(byte[] piece) {
        raw(piece, 0, piece.length);
    }

    /** Writes a line feed and a key. */
    void key(String name) {
        octet('\n');
        writeText(name);
    }

    /**
     * Writes a space and a text; no space before an empty text and before one that starts on the next line.
     *
     * @param check the check of {@link CspText} for any text but plain ones without spaces at their ends
     */
    void text(BiConsumer<String, String> check, String field, String text) {
        if (!writeAfterBlank(text) || hasBlankAtEnds(text)) {
            check.accept(field, text);
        }
    }

    /** Writes a space and one word. */
    void word(String field, String text) {
        if (!writeAfterBlank(text) || text.isEmpty() || text.indexOf(' ') >= 0) {
            CspText.word(field, text);
        }
    }

    /** Writes the lines of a heredoc and a line feed. */
    void content(String field, String text) {
        CspText.content(field, text);
        writeText(text);
        octet('\n');
    }

    private boolean writeAfterBlank(String text) {
        if (!text.isEmpty() && text.charAt(0) != '\n') {
            octet(' ');
        }
        return writeText(text);
    }

    /** Writes a text as UTF-8. Returns true if it is short printable ASCII, which needs no further check. */
    private boolean writeText(String text) {
        int count = text.length();
        if (count > MAX_ONE_PASS) {
            write(text.getBytes(UTF_8));
            return false;
        }
        reserve(count);
        for (int i = 0; i < count; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                write(text.getBytes(UTF_8));
                return false;
            }
            bytes[length + i] = (byte) c;
        }
        length += count;
        return true;
    }

    private static boolean hasBlankAtEnds(String text) {
        return !text.isEmpty() && (text.charAt(0) == ' ' || text.charAt(text.length() - 1) == ' ');
    }
}
