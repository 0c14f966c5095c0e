package dev.parley.dialogue.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AgentMessage;
import dev.parley.decode.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;

/**
 * Connects the legs of a Λ relay (docs/protocols.md L27): they have the same content after the prefix
 * {@code A1>A2>A3:}.
 */
public final class LambdaRelay {
    private LambdaRelay() {}

    /**
     * SHA-256, 32 bytes, of the content after the relay prefix without surrounding white space; of the whole message if
     * it has no prefix.
     */
    public static ByteBuffer hash(AgentMessage message) {
        ByteBuffer raw = message.getRaw();
        int start = raw.position();
        int end = raw.limit();
        List<String> relay = message.getLambda().getRelay();
        if (!relay.isEmpty()) {
            start = after(raw, ByteBuffer.wrap((String.join(">", relay) + ':').getBytes(UTF_8)));
        }
        while (start < end && isSpace(raw.get(start))) {
            start++;
        }
        while (end > start && isSpace(raw.get(end - 1))) {
            end--;
        }
        MessageDigest digest = Sha256.digest();
        digest.update(raw.duplicate().position(start).limit(end));
        return ByteBuffer.wrap(digest.digest());
    }

    /** Index after the prefix. The first match is the prefix, because it precedes everything else. */
    private static int after(ByteBuffer raw, ByteBuffer prefix) {
        for (int at = raw.position(); at <= raw.limit() - prefix.limit(); at++) {
            if (raw.slice(at, prefix.limit()).equals(prefix)) {
                return at + prefix.limit();
            }
        }
        return raw.limit();
    }

    private static boolean isSpace(byte value) {
        return value == ' ' || value == '\t' || value == '\r' || value == '\n';
    }
}
