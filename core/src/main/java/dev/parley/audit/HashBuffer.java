package dev.parley.audit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * A reusable, growing buffer of bytes to hash or sign: numbers big-endian, strings and bytes after a length of four
 * bytes.
 */
final class HashBuffer {
    private byte[] bytes = new byte[512];
    private int length;

    void clear() {
        length = 0;
    }

    /** Appends bytes without a length. */
    void bytes(ByteBuffer some) {
        int count = some.remaining();
        room(count);
        some.get(some.position(), bytes, length, count);
        length += count;
    }

    void text(String text) {
        sized(text.getBytes(StandardCharsets.UTF_8));
    }

    void sized(byte[] some) {
        integer(some.length);
        room(some.length);
        System.arraycopy(some, 0, bytes, length, some.length);
        length += some.length;
    }

    void octet(int value) {
        room(1);
        bytes[length++] = (byte) value;
    }

    void integer(int value) {
        room(Integer.BYTES);
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            bytes[length++] = (byte) (value >>> shift);
        }
    }

    void number(long value) {
        integer((int) (value >>> Integer.SIZE));
        integer((int) value);
    }

    ByteBuffer digest(MessageDigest digest) {
        digest.update(bytes, 0, length);
        return ByteBuffer.wrap(digest.digest());
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void room(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, (int)
                    Math.min(2L * bytes.length, Integer.MAX_VALUE - 16)));
        }
    }
}
