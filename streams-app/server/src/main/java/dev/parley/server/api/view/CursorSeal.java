package dev.parley.server.api.view;

import dev.parley.topology.views.read.InvalidCursorException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.common.utils.Bytes;

/** Seals store keys in cursors (AES-GCM), so that a client can neither read nor forge them. Thread-safe. */
public final class CursorSeal {

    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** The length of a sealed key is a multiple of this, so that it tells little about names in the key. */
    private static final int PADDING = 64;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final List<SecretKeySpec> keys;

    private CursorSeal(List<byte[]> secrets) {
        keys = secrets.stream().map(secret -> new SecretKeySpec(secret, "AES")).toList();
    }

    /**
     * A seal that all instances of a deployment have.
     *
     * @param secrets keys of 32 bytes, the current one first; if there are none, a random one
     */
    public static CursorSeal of(List<byte[]> secrets) {
        if (!secrets.isEmpty()) {
            return new CursorSeal(secrets);
        }
        byte[] random = new byte[KEY_BYTES];
        RANDOM.nextBytes(random);
        return new CursorSeal(List.of(random));
    }

    /** Returns the cursor of a store key. */
    String close(Bytes key) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        int length = Integer.BYTES + key.get().length;
        byte[] padded = ByteBuffer.allocate((length + PADDING - 1) / PADDING * PADDING)
                .putInt(key.get().length)
                .put(key.get())
                .array();
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keys.get(0), nonce).doFinal(padded);
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

    /**
     * Returns the store key of a cursor.
     *
     * @throws InvalidCursorException if none of the keys sealed it
     */
    Bytes open(String cursor) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(cursor);
            if (bytes.length > NONCE_BYTES) {
                byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
                for (SecretKeySpec key : keys) {
                    try {
                        ByteBuffer padded = ByteBuffer.wrap(cipher(Cipher.DECRYPT_MODE, key, nonce)
                                .doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES));
                        byte[] found = new byte[padded.getInt()];
                        padded.get(found);
                        return Bytes.wrap(found);
                    } catch (GeneralSecurityException e) {
                        // Another key may have sealed it.
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            // Not base64: not a cursor, too.
        }
        throw new InvalidCursorException("it is not a cursor of this caller");
    }

    private static Cipher cipher(int mode, SecretKeySpec key, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }
}
