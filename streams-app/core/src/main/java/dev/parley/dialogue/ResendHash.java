package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.decode.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * Hash by which a message is recognized when it is sent again: SHA-256 of its bytes without a byte order mark and white
 * space around them. For CSP, which reads CRLF as a line feed, CRLF inside is a line feed too.
 */
public final class ResendHash {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private ResendHash() {}

    /** Returns the hash of a message, 32 bytes; that of its payload if no byte differs. */
    public static ByteBuffer of(AgentMessage message) {
        ByteBuffer raw = message.getRaw();
        boolean lines = message.getCsp() != null;
        int start = start(raw);
        int end = raw.limit();
        while (end > start && isSpace(raw.get(end - 1))) {
            end--;
        }
        int carriageReturn = lines ? nextLineEnd(raw, start, end) : end;
        if (start == raw.position() && end == raw.limit() && carriageReturn == end) {
            return message.getSha256().duplicate();
        }
        MessageDigest digest = Sha256.digest();
        int from = start;
        while (carriageReturn < end) {
            digest.update(raw.duplicate().position(from).limit(carriageReturn));
            from = carriageReturn + 1;
            carriageReturn = nextLineEnd(raw, from, end);
        }
        digest.update(raw.duplicate().position(from).limit(end));
        return ByteBuffer.wrap(digest.digest());
    }

    private static int start(ByteBuffer raw) {
        int start = raw.position();
        int mark = 0;
        while (mark < BYTE_ORDER_MARK.length
                && start + mark < raw.limit()
                && raw.get(start + mark) == BYTE_ORDER_MARK[mark]) {
            mark++;
        }
        if (mark == BYTE_ORDER_MARK.length) {
            start += mark;
        }
        while (start < raw.limit() && isSpace(raw.get(start))) {
            start++;
        }
        return start;
    }

    /** Index of the next carriage return before a line feed; the end if there is none. */
    private static int nextLineEnd(ByteBuffer raw, int from, int end) {
        for (int at = from; at < end - 1; at++) {
            if (raw.get(at) == '\r' && raw.get(at + 1) == '\n') {
                return at;
            }
        }
        return end;
    }

    private static boolean isSpace(byte value) {
        return value == ' ' || (value >= '\t' && value <= '\r');
    }
}
