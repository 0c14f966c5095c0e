package dev.parley.log.tlog;

import dev.parley.codec.Excerpt;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Strict reader of the lines of a text. Every line ends in a newline. */
final class Lines {
    /** Maximum length of a text, in bytes. */
    static final int MAX_BYTES = 1 << 20;

    /** Maximum length of a proof, in hashes (C2SP tlog-witness, "add-checkpoint"). */
    static final int MAX_PROOF = 63;

    private static final int SHOWN = 80;

    private final String text;
    private int line;
    private int at;

    /**
     * Reads a text.
     *
     * @param firstLine number of its first line
     */
    Lines(String text, int firstLine) {
        this.text = text;
        line = firstLine - 1;
    }

    /** Decodes UTF-8 without control characters other than newline (C2SP signed-note, "Format"). */
    static String decode(byte[] bytes) throws TlogFormatException {
        if (bytes.length > MAX_BYTES) {
            throw new TlogFormatException(
                    1, "the text must have at most " + MAX_BYTES + " bytes, but has " + bytes.length);
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            throw new TlogFormatException(lineAt(text, text.length()), "byte " + in.position() + " must be UTF-8");
        }
        int control = control(text);
        if (control >= 0) {
            throw new TlogFormatException(
                    lineAt(text, control),
                    "control characters are not allowed, but the text contains U+00"
                            + (text.charAt(control) < 0x10 ? "0" : "")
                            + Integer.toHexString(text.charAt(control)));
        }
        return text;
    }

    /** Index of the first control character other than newline, or -1. */
    static int control(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' && text.charAt(i) != '\n') {
                return i;
            }
        }
        return -1;
    }

    /** Number of the line that contains an index of a text, from 1. */
    static int lineAt(String text, int index) {
        int line = 1;
        for (int i = 0; i < index; i++) {
            if (text.charAt(i) == '\n') {
                line++;
            }
        }
        return line;
    }

    boolean hasNext() {
        return at < text.length();
    }

    /** Number of the line read last. */
    int line() {
        return line;
    }

    /** The text after the line read last. */
    String rest() {
        return text.substring(at);
    }

    /**
     * Reads a line without its newline.
     *
     * @param expected content of the line, for the error
     */
    String next(String expected) throws TlogFormatException {
        line++;
        int end = text.indexOf('\n', at);
        if (end < 0) {
            throw error(hasNext() ? "the line must end in a newline" : expected + " is missing");
        }
        String next = text.substring(at, end);
        at = end + 1;
        return next;
    }

    /** Reads base64 hashes, one per line, and the empty line after them. */
    List<byte[]> hashes() throws TlogFormatException {
        List<byte[]> hashes = new ArrayList<>();
        for (String next = next("a hash or an empty line"); !next.isEmpty(); next = next("a hash or an empty line")) {
            if (hashes.size() == MAX_PROOF) {
                throw error("a proof must have at most " + MAX_PROOF + " hashes");
            }
            hashes.add(hash(next));
        }
        return hashes;
    }

    /** The hash in base64 of the line read last. */
    byte[] hash(String base64) throws TlogFormatException {
        byte[] hash = base64(base64);
        if (hash == null || hash.length != MerkleHasher.BYTES) {
            throw error("the hash must be 32 bytes in base64, but was " + quoted(base64));
        }
        return hash;
    }

    /** The error of the line read last. */
    TlogFormatException error(String message) {
        return new TlogFormatException(line, message);
    }

    /** A value for an error message, shortened. */
    static String quoted(String value) {
        return "'" + Excerpt.cut(value, SHOWN) + "'";
    }

    /** Decodes base64 with padding; null if the text is not in the one canonical form of its value. */
    static byte[] base64(String text) {
        byte[] chars = text.getBytes(StandardCharsets.UTF_8);
        byte[] decoded;
        try {
            decoded = Base64.getDecoder().decode(chars);
        } catch (IllegalArgumentException e) {
            // The decoder has no other way to report an invalid character.
            return null;
        }
        return Arrays.equals(Base64.getEncoder().encode(decoded), chars) ? decoded : null;
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Parses ASCII decimal without leading zeros; -1 if the text is not such a number or exceeds the maximum. */
    static long number(String text, long max) {
        if (text.isEmpty() || text.length() > 19 || text.length() > 1 && text.charAt(0) == '0') {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || number > max / 10) {
                return -1;
            }
            number = number * 10 + digit;
            if (number < 0 || number > max) {
                return -1;
            }
        }
        return number;
    }
}
