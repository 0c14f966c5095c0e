package dev.parley.dialogue.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AgentMessage;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * Ties the legs of a Λ relay together (PROTOCOLS L27): they have in common what stands after the prefix
 * {@code A1>A2>A3:}.
 */
final class LambdaRelay {
    private LambdaRelay() {}

    /**
     * SHA-256, 32 bytes, of what stands after the relay prefix, white space around it left out; of the whole message
     * without a prefix.
     */
    static ByteBuffer hash(AgentMessage message) {
        ByteBuffer raw = message.getRaw();
        int start = raw.position();
        int end = raw.limit();
        List<String> relay = message.getLambda().getRelay();
        if (!relay.isEmpty()) {
            start = after(raw, ByteBuffer.wrap((String.join(">", relay) + ':').getBytes(UTF_8)));
        }
        while (start < end && isBlank(raw.get(start))) {
            start++;
        }
        while (end > start && isBlank(raw.get(end - 1))) {
            end--;
        }
        MessageDigest digest = sha256();
        digest.update(raw.duplicate().position(start).limit(end));
        return ByteBuffer.wrap(digest.digest());
    }

    /** Index behind the prefix, which stands before everything else that could look like it. */
    private static int after(ByteBuffer raw, ByteBuffer prefix) {
        for (int at = raw.position(); at <= raw.limit() - prefix.limit(); at++) {
            if (raw.slice(at, prefix.limit()).equals(prefix)) {
                return at + prefix.limit();
            }
        }
        return raw.limit();
    }

    private static boolean isBlank(byte value) {
        return value == ' ' || value == '\t' || value == '\r' || value == '\n';
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
