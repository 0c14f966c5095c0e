package dev.parley.log.tlog;

import dev.parley.encoding.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Public key of a signer of notes (C2SP signed-note, "Verifier keys"). A key of another type than {@link #ED25519} and
 * {@link #COSIGNATURE} is kept, but verifies nothing.
 *
 * @param name name of the key
 * @param keyId ID of the key
 * @param type type of its signatures, from 0 to 255
 * @param key public key, in the form of its type
 */
public record VerifierKey(String name, int keyId, int type, byte[] key) {
    /** Type of Ed25519 signatures of the text. */
    public static final int ED25519 = 1;

    /** Type of Ed25519 cosignatures of a tree head, with a time. */
    public static final int COSIGNATURE = 4;

    /** Type of ML-DSA-44 cosignatures. Java has the algorithm from version 24 on. */
    private static final int ML_DSA_44 = 6;

    private static final int ID_DIGITS = 8;
    private static final int MAX_LENGTH = 1 << 14;

    /**
     * The key of a signer of texts, such as a log.
     *
     * @throws IllegalArgumentException if the name is empty or contains a space, plus or control character, or the key
     *     is not an Ed25519 key
     */
    public static VerifierKey of(String name, PublicKey key) {
        return of(name, ED25519, key);
    }

    /**
     * The key of a cosigner, such as a witness.
     *
     * @throws IllegalArgumentException as for {@link #of(String, PublicKey)}
     */
    public static VerifierKey ofCosigner(String name, PublicKey key) {
        return of(name, COSIGNATURE, key);
    }

    private static VerifierKey of(String name, int type, PublicKey key) {
        if (!NoteSignature.isName(name)) {
            throw new IllegalArgumentException(
                    "a key name must not be empty or contain spaces or '+', but was " + Lines.quoted(name));
        }
        byte[] raw = Ed25519.raw(key);
        return new VerifierKey(name, idOf(name, type, raw), type, raw);
    }

    /**
     * Parses a verifier key, such as {@code example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k}.
     *
     * @throws TlogFormatException if the text has another form, or the ID is not the one of name and key
     */
    public static VerifierKey parse(String text) throws TlogFormatException {
        int nameEnd = text.indexOf('+');
        int keyStart = nameEnd + ID_DIGITS + 2;
        if (text.length() > MAX_LENGTH
                || nameEnd < 1
                || keyStart >= text.length()
                || text.charAt(keyStart - 1) != '+'
                || !NoteSignature.isName(text.substring(0, nameEnd))) {
            throw error("must be a name, '+', 8 hexadecimal digits, '+' and base64, but was " + Lines.quoted(text));
        }
        String id = text.substring(nameEnd + 1, keyStart - 1);
        if (!id.matches("[0-9a-f]+")) {
            throw error("must have an ID of 8 lowercase hexadecimal digits, but was " + Lines.quoted(text));
        }
        int keyId = HexFormat.fromHexDigits(id);
        byte[] encoded = Lines.base64(text.substring(keyStart));
        if (encoded == null || encoded.length < 2) {
            throw error("must end in a type and a key in base64, but was " + Lines.quoted(text));
        }
        String name = text.substring(0, nameEnd);
        int type = encoded[0] & 0xff;
        byte[] key = Arrays.copyOfRange(encoded, 1, encoded.length);
        VerifierKey parsed = new VerifierKey(name, keyId, type, key);
        if (parsed.canVerify() && (key.length != Ed25519.KEY_BYTES || !Ed25519.isKey(key))) {
            throw error("must have an Ed25519 key of 32 bytes, but was " + Lines.quoted(text));
        }
        if ((parsed.canVerify() || type == ML_DSA_44) && keyId != idOf(name, type, key)) {
            throw error("has the ID of another name, type or key: " + Lines.quoted(text));
        }
        return parsed;
    }

    /** Whether this version can verify signatures of the key's type. */
    public boolean canVerify() {
        return type == ED25519 || type == COSIGNATURE;
    }

    /** Whether a signature claims to be made by this key: its name and ID are the same. */
    public boolean matches(NoteSignature signature) {
        return keyId == signature.keyId() && name.equals(signature.name());
    }

    /** Whether a signature of a text was made by this key. */
    public boolean verifies(String text, NoteSignature signature) {
        if (!matches(signature)) {
            return false;
        }
        return switch (type) {
            case ED25519 -> Ed25519.verifies(key, text.getBytes(StandardCharsets.UTF_8), signature.bytes());
            case COSIGNATURE -> Cosignature.verifies(key, text, signature.bytes());
            default -> false;
        };
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        byte[] encoded =
                ByteBuffer.allocate(1 + key.length).put((byte) type).put(key).array();
        return name + '+' + HexFormat.of().toHexDigits(keyId) + '+' + Lines.base64(encoded);
    }

    private static int idOf(String name, int type, byte[] key) {
        MessageDigest sha256 = Sha256.digest();
        sha256.update(name.getBytes(StandardCharsets.UTF_8));
        sha256.update((byte) '\n');
        sha256.update((byte) type);
        return ByteBuffer.wrap(sha256.digest(key)).getInt();
    }

    private static TlogFormatException error(String message) {
        return new TlogFormatException(1, "the verifier key " + message);
    }
}
