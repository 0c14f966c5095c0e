package dev.parley.topology.views.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The sequence of a record in its chain. */
public record ChainPosition(String chain, long sequence) {

    /** Reads what {@link #toBytes} wrote. */
    public static ChainPosition of(byte[] bytes) {
        return new ChainPosition(
                new String(bytes, Long.BYTES, bytes.length - Long.BYTES, StandardCharsets.UTF_8),
                ByteBuffer.wrap(bytes).getLong());
    }

    public byte[] toBytes() {
        byte[] name = chain.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + name.length)
                .putLong(sequence)
                .put(name)
                .array();
    }
}
