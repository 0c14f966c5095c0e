package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Ties the legs of a Λ relay together (PROTOCOLS L27): they have in common what stands after the prefix {@code A1>A2>A3:}. */
final class LambdaRelay {
    private LambdaRelay() {}

    /** SHA-256, 32 bytes, of what stands after the relay prefix, white space around it left out; of the whole message without a prefix. */
    static ByteBuffer hash(AgentMessage message) {
        ByteBuffer raw = message.getRaw();
        int start = raw.position();
        int end = raw.limit();
        if (!message.getLambda().getRelay().isEmpty()) {
            // A header may have colons and ends before the relay's first '>'.
            start = after(raw, '>', start);
            start = after(raw, ':', start);
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

    private static int after(ByteBuffer raw, char wanted, int from) {
        int at = from;
        while (at < raw.limit() && raw.get(at) != wanted) {
            at++;
        }
        return Math.min(at + 1, raw.limit());
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
