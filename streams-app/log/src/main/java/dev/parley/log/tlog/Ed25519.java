package dev.parley.log.tlog;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Signatures of Ed25519 with keys of 32 bytes (RFC 8032). */
final class Ed25519 {
    static final int KEY_BYTES = 32;

    private static final String ALGORITHM = "Ed25519";

    /** All bytes of the X.509 form of a key before its 32 bytes. */
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private Ed25519() {}

    /**
     * The 32 bytes of a key.
     *
     * @throws IllegalArgumentException if the key is not an Ed25519 key
     */
    static byte[] raw(PublicKey key) {
        byte[] x509 = key.getEncoded();
        int prefix = X509_PREFIX.length;
        if (x509 == null
                || x509.length != prefix + KEY_BYTES
                || !Arrays.equals(x509, 0, prefix, X509_PREFIX, 0, prefix)) {
            throw new IllegalArgumentException("the key must be an " + ALGORITHM + " key");
        }
        return Arrays.copyOfRange(x509, prefix, x509.length);
    }

    /** Whether 32 bytes are a public key: not all bytes are a point of the curve. */
    static boolean isKey(byte[] raw) {
        return verifier(raw) != null;
    }

    static byte[] sign(PrivateKey key, byte[] message) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (InvalidKeyException e) {
            throw new IllegalArgumentException("the key must be an " + ALGORITHM + " key", e);
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** Whether a signature is valid; false also for bytes that are no key or no signature. */
    static boolean verifies(byte[] raw, byte[] message, byte[] bytes) {
        Signature signature = verifier(raw);
        if (signature == null) {
            return false;
        }
        try {
            signature.update(message);
            return signature.verify(bytes);
        } catch (SignatureException e) {
            // The bytes do not have the form of a signature.
            return false;
        }
    }

    /** A signature that verifies with a key, or null if the bytes are no key. */
    private static Signature verifier(byte[] raw) {
        byte[] x509 = ByteBuffer.allocate(X509_PREFIX.length + raw.length)
                .put(X509_PREFIX)
                .put(raw)
                .array();
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(x509)));
            return signature;
        } catch (InvalidKeyException | InvalidKeySpecException e) {
            // The bytes are no point of the curve.
            return null;
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    private static IllegalStateException missing(GeneralSecurityException e) {
        return new IllegalStateException(ALGORITHM + " is missing from this Java runtime", e);
    }
}
