package dev.parley.encoding;

import java.nio.ByteBuffer;

/** Converts between byte arrays and the buffers of generated records. */
public final class ByteBuffers {
    private ByteBuffers() {}

    /** Returns the bytes of a buffer, without a copy if the buffer is a whole array; null for null. */
    public static byte[] of(ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        if (buffer.hasArray() && buffer.arrayOffset() == 0 && buffer.remaining() == buffer.array().length) {
            return buffer.array();
        }
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
    }

    /** Returns a buffer over an array; null for null. */
    public static ByteBuffer wrap(byte[] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }
}
