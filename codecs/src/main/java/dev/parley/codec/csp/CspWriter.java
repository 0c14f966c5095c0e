package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Gathers the bytes of one message. Texts of the record are checked as they are written: most are printable ASCII, and then only blanks at
 * their ends could keep them from reading back the same; {@link CspText} looks at all others.
 */
final class CspWriter {

    /** Up to so many characters, one pass that copies and looks is quicker than several that each do one thing for all of them at once. */
    private static final int SHORT = 256;

    private byte[] bytes = new byte[256];
    private int size;

    /** Writes ASCII bytes as they are. */
    void write(byte[] piece) {
        reserve(piece.length);
        System.arraycopy(piece, 0, bytes, size, piece.length);
        size += piece.length;
    }

    /** Writes a line feed and a key. */
    void key(String name) {
        write('\n');
        writeText(name);
    }

    /** Writes a blank and a value on one line; nothing for an empty value. */
    void line(String field, String text) {
        if (!writeAfterBlank(text) || hasBlankAtEnds(text)) {
            CspText.line(field, text);
        }
    }

    /** Writes a blank and one word. */
    void word(String field, String text) {
        if (!writeAfterBlank(text) || text.isEmpty() || text.indexOf(' ') >= 0) {
            CspText.word(field, text);
        }
    }

    /** Writes a blank and the value of a definition, of which blanks at its start are part; nothing for an empty value. */
    void definition(String field, String text) {
        if (!writeAfterBlank(text) || hasBlankAtEnds(text)) {
            CspText.definition(field, text);
        }
    }

    /** Writes a blank and a value that may go on over several lines; no blank where it starts on the next line. */
    void value(String field, String text, boolean inPatch) {
        if (!writeAfterBlank(text) || hasBlankAtEnds(text)) {
            CspText.value(field, text, inPatch);
        }
    }

    /** Writes a blank and a value that runs to the end of the message. */
    void data(String field, String text) {
        if (!writeAfterBlank(text) || hasBlankAtEnds(text)) {
            CspText.data(field, text);
        }
    }

    /** Writes the lines of a heredoc and a line feed. */
    void content(String field, String text) {
        CspText.content(field, text);
        writeText(text);
        write('\n');
    }

    byte[] written() {
        return Arrays.copyOf(bytes, size);
    }

    private boolean writeAfterBlank(String text) {
        if (!text.isEmpty() && text.charAt(0) != '\n') {
            write(' ');
        }
        return writeText(text);
    }

    private void write(char ascii) {
        reserve(1);
        bytes[size++] = (byte) ascii;
    }

    /** Writes a text as UTF-8; true when it is short and has printable ASCII characters only, so that it needs no other look. */
    private boolean writeText(String text) {
        int length = text.length();
        if (length > SHORT) {
            write(text.getBytes(UTF_8));
            return false;
        }
        reserve(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                write(text.getBytes(UTF_8));
                return false;
            }
            bytes[size + i] = (byte) c;
        }
        size += length;
        return true;
    }

    private static boolean hasBlankAtEnds(String text) {
        return !text.isEmpty() && (text.charAt(0) == ' ' || text.charAt(text.length() - 1) == ' ');
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
