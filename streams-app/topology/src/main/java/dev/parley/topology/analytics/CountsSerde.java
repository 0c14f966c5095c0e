package dev.parley.topology.analytics;

import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

/** Serde of counts: eight bytes for each number. */
final class CountsSerde {
    static final Serde<long[]> COUNTS =
            Serdes.serdeFrom((topic, counts) -> write(counts), (topic, bytes) -> read(bytes));

    private CountsSerde() {}

    private static byte[] write(long[] counts) {
        if (counts == null) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * counts.length);
        bytes.asLongBuffer().put(counts);
        return bytes.array();
    }

    private static long[] read(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        if (bytes.length == 0 || bytes.length % Long.BYTES != 0) {
            throw new SerializationException("Counts must have a multiple of 8 bytes, but have " + bytes.length);
        }
        long[] counts = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().get(counts);
        return counts;
    }
}
