package dev.parley.server.cluster;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.function.Consumer;

/** Writes the types of the peer protocol into memory, big-endian. {@link BinaryReader} reads them. */
final class BinaryWriter extends ByteArrayOutputStream {

    BinaryWriter int8(int value) {
        write(value);
        return this;
    }

    BinaryWriter int16(int value) {
        return int8(value >>> 8).int8(value);
    }

    BinaryWriter int32(int value) {
        return int16(value >>> 16).int16(value);
    }

    BinaryWriter int64(long value) {
        return int32((int) (value >>> 32)).int32((int) value);
    }

    /** Bytes without their length. */
    BinaryWriter raw(byte[] value) {
        writeBytes(value);
        return this;
    }

    /** Bytes with their length in front. */
    BinaryWriter bytes(byte[] value) {
        return int32(value.length).raw(value);
    }

    BinaryWriter text(String... values) {
        for (String value : values) {
            bytes(value.getBytes(StandardCharsets.UTF_8));
        }
        return this;
    }

    /** The number of elements, and each of them. */
    <T> BinaryWriter list(Collection<T> values, Consumer<T> element) {
        int32(values.size());
        values.forEach(element);
        return this;
    }
}
