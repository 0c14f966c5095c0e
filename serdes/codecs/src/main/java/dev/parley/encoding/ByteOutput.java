package dev.parley.encoding;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;

/** A growing buffer of bytes, with the primitive types of Avro's binary encoding. Not thread-safe. */
public class ByteOutput {
    private static final int MAX_BYTES = Integer.MAX_VALUE - 16;
    private static final int MAX_VARINT_BYTES = 10;

    /** A larger array is not kept by {@link #clear}, so that one large record does not occupy memory for ever. */
    private static final int MAX_KEPT_BYTES = 1 << 18;

    private final int capacity;
    private byte[] bytes;
    private int length;

    /** Creates an empty buffer. */
    public ByteOutput(int capacity) {
        this.capacity = capacity;
        bytes = new byte[capacity];
    }

    /** Removes all bytes. */
    public final void clear() {
        if (bytes.length > MAX_KEPT_BYTES) {
            bytes = new byte[capacity];
        }
        length = 0;
    }

    /** Number of bytes so far: the position of the next one. */
    public final int length() {
        return length;
    }

    /** The array behind the buffer, valid up to {@link #length} and until the next write. */
    public final byte[] array() {
        return bytes;
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

    /** Appends bytes without a length. */
    public final void raw(byte[] some, int from, int count) {
        reserve(count);
        System.arraycopy(some, from, bytes, length, count);
        length += count;
    }

    /** Appends the remaining bytes of a buffer without a length. The position of the buffer stays. */
    public final void raw(ByteBuffer some) {
        int count = some.remaining();
        reserve(count);
        some.get(some.position(), bytes, length, count);
        length += count;
    }

    /** Appends an {@code int} or {@code long}: zigzag, seven bits per byte, lowest first. */
    public final void number(long value) {
        reserve(MAX_VARINT_BYTES);
        long rest = value << 1 ^ value >> Long.SIZE - 1;
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    /** Appends a {@code string}: its length in UTF-8, then its bytes. */
    public final void string(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        number(utf8.length);
        raw(utf8, 0, utf8.length);
    }

    /** Appends {@code bytes}: their number, then the bytes. The position of the buffer stays. */
    public final void bytes(ByteBuffer some) {
        number(some.remaining());
        raw(some);
    }

    /** Appends the elements of an array, without their number and the end mark. */
    void elements(Collection<?> values, ValueEncoder element) {
        for (Object value : values) {
            element.encode(value, this);
        }
    }

    private void reserve(int more) {
        if (more > bytes.length - length) {
            long needed = (long) length + more;
            if (needed > MAX_BYTES) {
                throw new IllegalArgumentException("an encoded record has at most " + MAX_BYTES + " bytes");
            }
            bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(needed, 2L * bytes.length)));
        }
    }
}
