package dev.parley.log.tlog;

import dev.parley.codec.Decimal;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;

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
        int invalid = Utf8.firstInvalid(bytes, 0, bytes.length);
        String text = new String(bytes, 0, invalid < 0 ? bytes.length : invalid, StandardCharsets.UTF_8);
        if (invalid >= 0) {
            throw new TlogFormatException(lineAt(text, text.length()), "byte " + invalid + " must be UTF-8");
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
        return IntStream.range(0, text.length())
                .filter(i -> text.charAt(i) < ' ' && text.charAt(i) != '\n')
                .findFirst()
                .orElse(-1);
    }

    /** Number of the line that contains an index of a text, from 1. */
    static int lineAt(String text, int index) {
        return 1 + (int) text.chars().limit(index).filter(c -> c == '\n').count();
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
        long number = Decimal.parse(text, max);
        return Decimal.text(number).equals(text) ? number : Decimal.NONE;
    }
}
