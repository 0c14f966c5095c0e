package dev.parley.dialogue.lambda;

import dev.parley.avro.AgentMessage;
import dev.parley.codec.Ascii;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.Sha256;
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
        byte[] raw = ByteBuffers.of(message.getRaw());
        List<String> relay = message.getLambda().getRelay();
        String prefix = relay.isEmpty() ? "" : String.join(">", relay) + ':';
        // The first match is the prefix, because it precedes everything else.
        int from = Math.min(Ascii.find(raw, 0, raw.length, prefix) + prefix.length(), raw.length);
        int start = Ascii.skipSpaces(raw, from);
        MessageDigest digest = Sha256.digest();
        digest.update(raw, start, Ascii.trimEnd(raw, start, raw.length) - start);
        return ByteBuffer.wrap(digest.digest());
    }
}
