package dev.parley.log.tlog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;

/** Form of a timestamped Ed25519 cosignature (C2SP tlog-cosignature, "Format" and "Ed25519 signed message"). */
final class Cosignature {
    /** First line of each cosigned message. A text that begins with it must not be signed as a note. */
    static final String HEADER = "cosignature/v1\n";

    private static final int SIGNATURE_BYTES = 64;

    private Cosignature() {}

    /** The bytes that a cosigner signs. */
    static byte[] message(String text, long time) {
        return (HEADER + "time " + time + '\n' + text).getBytes(StandardCharsets.UTF_8);
    }

    /** Joins time and signature. */
    static byte[] encode(long time, byte[] signature) {
        return ByteBuffer.allocate(Long.BYTES + signature.length)
                .putLong(time)
                .put(signature)
                .array();
    }

    static boolean verifies(byte[] key, String text, byte[] cosignature) {
        OptionalLong time = time(cosignature);
        return time.isPresent()
                && Ed25519.verifies(
                        key,
                        message(text, time.getAsLong()),
                        Arrays.copyOfRange(cosignature, Long.BYTES, cosignature.length));
    }

    /** Time of a cosignature, in seconds since the epoch; empty if the bytes have another form. */
    static OptionalLong time(byte[] cosignature) {
        if (cosignature.length != Long.BYTES + SIGNATURE_BYTES) {
            return OptionalLong.empty();
        }
        long time = ByteBuffer.wrap(cosignature).getLong();
        return time < 0 ? OptionalLong.empty() : OptionalLong.of(time);
    }
}
