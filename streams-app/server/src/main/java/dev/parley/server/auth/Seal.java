package dev.parley.server.auth;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Seals bytes that a client keeps (AES-GCM), so that it can neither read nor forge them. Thread-safe. */
public final class Seal {

    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final List<SecretKeySpec> keys;

    private Seal(List<byte[]> secrets) {
        keys = secrets.stream().map(secret -> new SecretKeySpec(secret, "AES")).toList();
    }

    /**
     * A seal that all instances of a deployment have.
     *
     * @param secrets keys of 32 bytes, the current one first; if there are none, a random one
     */
    public static Seal of(List<byte[]> secrets) {
        return new Seal(secrets.isEmpty() ? List.of(random(KEY_BYTES)) : secrets);
    }

    /** Unpredictable bytes. */
    static byte[] random(int length) {
        byte[] random = new byte[length];
        RANDOM.nextBytes(random);
        return random;
    }

    /** Seals bytes, as base64 for URLs. */
    public String close(byte[] content) {
        byte[] nonce = random(NONCE_BYTES);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keys.get(0), nonce).doFinal(content);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                            .put(nonce)
                            .put(sealed)
                            .array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** The sealed bytes; empty if none of the keys sealed them. */
    public Optional<byte[]> open(String sealed) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(sealed);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (bytes.length > NONCE_BYTES) {
            byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
            for (SecretKeySpec key : keys) {
                try {
                    return Optional.of(cipher(Cipher.DECRYPT_MODE, key, nonce)
                            .doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES));
                } catch (GeneralSecurityException e) {
                    // Another key may have sealed them.
                }
            }
        }
        return Optional.empty();
    }

    private static Cipher cipher(int mode, SecretKeySpec key, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }
}
