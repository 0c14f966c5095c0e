package dev.parley.log.tlog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * One signature of a note (C2SP signed-note, "Signatures").
 *
 * @param name name of the key
 * @param keyId ID of the key
 * @param bytes signature, in the form of its type
 */
public record NoteSignature(String name, int keyId, byte[] bytes) {
    /** Maximum number of signatures of a note. */
    public static final int MAX_COUNT = 64;

    private static final String DASH = "\u2014 ";

    /**
     * Parses signature lines, such as the response of a witness (C2SP tlog-witness, "add-checkpoint").
     *
     * @throws TlogFormatException if there is no line, more than {@link #MAX_COUNT}, or a line of another form
     */
    public static List<NoteSignature> parse(byte[] lines) throws TlogFormatException {
        return parse(new Lines(Lines.decode(lines), 1));
    }

    static List<NoteSignature> parse(Lines lines) throws TlogFormatException {
        List<NoteSignature> signatures = new ArrayList<>();
        do {
            String line = lines.next("a signature line");
            if (signatures.size() == MAX_COUNT) {
                throw lines.error("a note must have at most " + MAX_COUNT + " signatures");
            }
            int nameEnd = line.indexOf(' ', DASH.length());
            if (!line.startsWith(DASH) || nameEnd < 0) {
                throw lines.error(
                        "a signature line must be an em dash, the key name and base64, but was " + Lines.quoted(line));
            }
            String name = line.substring(DASH.length(), nameEnd);
            if (!isName(name)) {
                throw lines.error(
                        "a key name must not be empty or contain spaces or '+', but was " + Lines.quoted(name));
            }
            byte[] encoded = Lines.base64(line.substring(nameEnd + 1));
            if (encoded == null || encoded.length <= Integer.BYTES) {
                throw lines.error("the signature must be a key ID of 4 bytes and a signature, in base64");
            }
            signatures.add(new NoteSignature(
                    name,
                    ByteBuffer.wrap(encoded).getInt(),
                    Arrays.copyOfRange(encoded, Integer.BYTES, encoded.length)));
        } while (lines.hasNext());
        return List.copyOf(signatures);
    }

    /** Whether a text can name a key: not empty, and without Unicode spaces, control characters and plus. */
    static boolean isName(String text) {
        return !text.isEmpty()
                && text.chars().noneMatch(c -> c < ' ' || c == '+' || c == '\u0085' || Character.isSpaceChar(c));
    }

    /** The signature line, with its newline. */
    public String line() {
        ByteBuffer encoded = ByteBuffer.allocate(Integer.BYTES + bytes.length);
        encoded.putInt(keyId).put(bytes);
        return DASH + name + ' ' + Lines.base64(encoded.array()) + '\n';
    }

    /** Name and ID of the key, as a verifier key begins, such as {@code example.com/foo+530d903a}. */
    public String key() {
        return name + '+' + HexFormat.of().toHexDigits(keyId);
    }
}
