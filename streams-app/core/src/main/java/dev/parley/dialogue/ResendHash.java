package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.codec.SwarBytes;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * Hash by which a message is recognized when it is sent again: SHA-256 of its bytes without a byte order mark and white
 * space around them. For CSP, which reads CRLF as a line feed, CRLF inside is a line feed too.
 */
public final class ResendHash {
    private static final int STORED_BYTES = 16;

    private final byte[] bytes;
    private int from;
    private int to;

    private ResendHash(ByteBuffer raw) {
        bytes = raw.hasArray() ? raw.array() : ByteBuffers.of(raw);
        from = raw.hasArray() ? raw.arrayOffset() + raw.position() : 0;
        to = from + raw.remaining();
    }

    /**
     * Returns the hash of a message, 32 bytes.
     *
     * @return a new buffer, or the payload's hash in the message if no byte differs
     */
    public static ByteBuffer of(AgentMessage message) {
        ResendHash hash = new ResendHash(message.getRaw());
        boolean trimmed = hash.trim();
        int lineEnd = message.getCsp() == null ? hash.to : hash.lineEnd(hash.from);
        return trimmed || lineEnd < hash.to ? hash.digest(lineEnd) : message.getSha256();
    }

    /** Returns the first 16 bytes of the hash, which a state stores: too many to find two messages with the same. */
    public static ByteBuffer stored(AgentMessage message) {
        ByteBuffer hash = of(message);
        return hash.slice(hash.position(), STORED_BYTES);
    }

    /** Removes byte order mark and white space around the message. Returns whether there was any. */
    private boolean trim() {
        int start = from;
        int end = to;
        if (to - from >= 3
                && bytes[from] == (byte) 0xEF
                && bytes[from + 1] == (byte) 0xBB
                && bytes[from + 2] == (byte) 0xBF) {
            from += 3;
        }
        while (from < to && isSpace(bytes[from])) {
            from++;
        }
        while (to > from && isSpace(bytes[to - 1])) {
            to--;
        }
        return from > start || to < end;
    }

    /** Index of the next carriage return before a line feed; the end if there is none. */
    private int lineEnd(int start) {
        int at = start;
        while (at < to) {
            if (to - at >= SwarBytes.COUNT) {
                int skipped = SwarBytes.first(SwarBytes.equal(SwarBytes.at(bytes, at), '\r'));
                at += skipped;
                if (skipped == SwarBytes.COUNT) {
                    continue;
                }
            }
            if (bytes[at] == '\r' && at + 1 < to && bytes[at + 1] == '\n') {
                return at;
            }
            at++;
        }
        return to;
    }

    private ByteBuffer digest(int firstLineEnd) {
        MessageDigest digest = Sha256.digest();
        int start = from;
        int end = firstLineEnd;
        while (end < to) {
            digest.update(bytes, start, end - start);
            start = end + 1;
            end = lineEnd(start);
        }
        digest.update(bytes, start, to - start);
        return ByteBuffer.wrap(digest.digest());
    }

    private static boolean isSpace(byte value) {
        return value == ' ' || (value >= '\t' && value <= '\r');
    }
}
