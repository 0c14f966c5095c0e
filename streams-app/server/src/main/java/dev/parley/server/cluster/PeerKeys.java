package dev.parley.server.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.common.config.types.Password;

/**
 * The keys by which the instances of a deployment authenticate each other (HMAC-SHA256). They are never sent.
 * Thread-safe.
 */
public final class PeerKeys {

    /** Minimum length of a secret in bytes. */
    public static final int MIN_BYTES = 32;

    /** Length of a MAC. */
    static final int MAC_BYTES = 32;

    private static final int MIN_DISTINCT_BYTES = 8;
    private static final String ALGORITHM = "HmacSHA256";

    private final List<SecretKeySpec> keys;

    private PeerKeys(List<SecretKeySpec> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * Derives the keys from their secrets.
     *
     * @param current the secret that this instance uses
     * @param previous another secret that it accepts during a rotation; empty for none
     * @throws IllegalArgumentException if a secret is too short or too regular; the message contains no part of it
     */
    public static PeerKeys of(Password current, Optional<Password> previous) {
        List<SecretKeySpec> keys = new ArrayList<>();
        keys.add(key(current));
        previous.ifPresent(secret -> keys.add(key(secret)));
        return new PeerKeys(keys);
    }

    /** Keys of 32 bytes for another purpose, in the same order. */
    public List<byte[]> derive(String purpose) {
        return IntStream.range(0, keys.size())
                .mapToObj(key -> mac(key, purpose))
                .toList();
    }

    /** Number of keys; key 0 is the current one. */
    int size() {
        return keys.size();
    }

    /** MAC of a domain and fields. Each has its length in front, so that field boundaries are unambiguous. */
    byte[] mac(int key, String domain, byte[]... fields) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(keys.get(key));
            update(mac, domain.getBytes(StandardCharsets.UTF_8));
            for (byte[] field : fields) {
                update(mac, field);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** The first key by which a MAC is correct; empty if there is none. Compares in constant time. */
    Optional<Integer> verifiedBy(byte[] mac, String domain, byte[]... fields) {
        return IntStream.range(0, keys.size())
                .filter(key -> MessageDigest.isEqual(mac(key, domain, fields), mac))
                .boxed()
                .findFirst();
    }

    private static void update(Mac mac, byte[] field) {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(field.length).array());
        mac.update(field);
    }

    private static SecretKeySpec key(Password secret) {
        byte[] bytes = secret.value().getBytes(StandardCharsets.UTF_8);
        long distinct =
                IntStream.range(0, bytes.length).map(i -> bytes[i]).distinct().count();
        if (bytes.length < MIN_BYTES || distinct < MIN_DISTINCT_BYTES) {
            throw new IllegalArgumentException("must have at least " + MIN_BYTES + " bytes, at least "
                    + MIN_DISTINCT_BYTES + " of them different, but has " + bytes.length + " bytes, " + distinct
                    + " of them different. Generate one with: openssl rand -hex 32");
        }
        return new SecretKeySpec(bytes, ALGORITHM);
    }
}
