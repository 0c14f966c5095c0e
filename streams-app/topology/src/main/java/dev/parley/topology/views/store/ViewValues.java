package dev.parley.topology.views.store;

import java.nio.ByteBuffer;

/** Numbers as values of the view stores, in eight bytes. */
public final class ViewValues {

    private ViewValues() {}

    /** Encodes a number. */
    public static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /** Decodes a number; 0 for null. */
    public static long number(byte[] value) {
        return value == null ? 0 : ByteBuffer.wrap(value).getLong();
    }
}
