package dev.parley.audit;

import dev.parley.encoding.ByteOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A reusable, growing buffer of bytes to hash or sign: numbers big-endian, strings and bytes after a length of four
 * bytes.
 */
final class HashBuffer {
    private final ByteOutput out = new ByteOutput(512);

    void clear() {
        out.clear();
    }

    /** Appends bytes without a length. */
    void bytes(ByteBuffer some) {
        out.raw(some);
    }

    void text(String text) {
        sized(text.getBytes(StandardCharsets.UTF_8));
    }

    void sized(byte[] some) {
        sized(some, 0, some.length);
    }

    void sized(byte[] some, int from, int count) {
        integer(count);
        out.raw(some, from, count);
    }

    /** Appends bytes without a length. */
    void raw(byte[] some, int from, int count) {
        out.raw(some, from, count);
    }

    void integer(int value) {
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            out.octet(value >>> shift);
        }
    }

    void number(long value) {
        integer((int) (value >>> Integer.SIZE));
        integer((int) value);
    }

    void addTo(MessageDigest digest) {
        digest.update(out.array(), 0, out.length());
    }

    ByteBuffer digest(MessageDigest digest) {
        addTo(digest);
        return ByteBuffer.wrap(digest.digest());
    }

    byte[] toBytes() {
        return out.toBytes();
    }
}
