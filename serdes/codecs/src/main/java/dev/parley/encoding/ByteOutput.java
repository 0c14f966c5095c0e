package dev.parley.encoding;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/** A growing buffer of bytes, with the primitive types of Avro's binary encoding. Not thread-safe. */
public class ByteOutput extends GrowingBytes {
    private static final int MAX_VARINT_BYTES = 10;

    /** A larger array is not kept by {@link #clear}, so that one large record does not occupy memory for ever. */
    private static final int MAX_KEPT_BYTES = 1 << 18;

    private final int capacity;

    /** Creates an empty buffer. */
    public ByteOutput(int capacity) {
        super(capacity);
        this.capacity = capacity;
    }

    /** Removes all bytes. */
    public final void clear() {
        if (bytes.length > MAX_KEPT_BYTES) {
            bytes = new byte[capacity];
        }
        length = 0;
    }

    /** The array behind the buffer, valid up to {@link #length} and until the next write. */
    public final byte[] array() {
        return bytes;
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
}
