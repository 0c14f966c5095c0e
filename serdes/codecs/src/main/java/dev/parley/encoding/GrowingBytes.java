package dev.parley.encoding;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A growing array of bytes, for the writers of any format. Not thread-safe. */
public class GrowingBytes {
    private static final int MAX_BYTES = Integer.MAX_VALUE - 16;
    /** Room after a large value, so that the short ones behind it do not double the array. */
    private static final int MIN_ROOM = 1 << 10;

    /** The bytes so far, up to {@link #length}; {@link #reserve} replaces the array. */
    protected byte[] bytes;

    /** Number of bytes so far. */
    protected int length;

    /** Creates an empty array. */
    public GrowingBytes(int capacity) {
        bytes = new byte[capacity];
    }

    /** Number of bytes so far: the position of the next one. */
    public final int length() {
        return length;
    }

    /** Returns a copy of the bytes. */
    public final byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** Appends one byte. */
    public final void octet(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    /** Appends bytes unchanged. */
    public final void raw(byte[] some, int from, int count) {
        reserve(count);
        System.arraycopy(some, from, bytes, length, count);
        length += count;
    }

    /** Appends the remaining bytes of a buffer unchanged. The position of the buffer stays. */
    public final void raw(ByteBuffer some) {
        int count = some.remaining();
        reserve(count);
        some.get(some.position(), bytes, length, count);
        length += count;
    }

    /** Ensures that the array has room for more bytes. */
    protected final void reserve(int more) {
        if (more > bytes.length - length) {
            long needed = (long) length + more;
            if (needed > MAX_BYTES) {
                throw new IllegalArgumentException("an encoded record has at most " + MAX_BYTES + " bytes");
            }
            bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(needed + MIN_ROOM, 2L * bytes.length)));
        }
    }
}
