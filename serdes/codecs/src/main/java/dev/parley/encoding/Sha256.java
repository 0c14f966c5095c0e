package dev.parley.encoding;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every Java platform provides. */
public final class Sha256 {
    /** Length of a hash, in bytes. */
    public static final int BYTES = 32;

    private Sha256() {}

    /** Creates a digest, which is not thread-safe. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this Java runtime", e);
        }
    }

    /** The hash of some bytes. */
    public static byte[] of(byte[] bytes) {
        return digest().digest(bytes);
    }
}
