package dev.parley.serde;

import dev.parley.encoding.CopyingOutput;
import dev.parley.encoding.EncodedElements;
import java.util.Arrays;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads and writes the values of a state store in one thread, and keeps recent ones by the identity of their bytes. A
 * store with a cache returns the array that was put, so a value that was written is not read again, and its next
 * version is encoded by copying what did not change. Bounded in values and in bytes. Not thread-safe.
 */
final class RecentValues<T extends SpecificRecord> {
    /** Number of places; a power of two. A new value replaces the one in its place. */
    static final int PLACES = 1 << 10;

    /** Maximum bytes of all values in encoded form; beyond it, all are forgotten. A larger value is not kept. */
    static final int MAX_BYTES = 4 << 20;

    private static final int USUAL_BYTES = 1_024;

    private final CopyingOutput out = new CopyingOutput(USUAL_BYTES);
    private final Object[] places = new Object[PLACES];
    private long bytes;

    /** The long list of the last value read or written; null without one. */
    private EncodedElements elements;

    /** The last value read, if none was written since: mostly, the value that is written next replaces it. */
    private Recent<T> lastRead;

    private record Recent<T>(byte[] encoding, T value, EncodedElements elements) {}

    /** Returns the value of these bytes, the same object if it is known. */
    T read(String topic, byte[] encoding, Deserializer<T> deserializer) {
        Recent<T> recent = at(place(encoding));
        if (recent != null && recent.encoding == encoding) {
            elements = recent.elements;
            lastRead = recent;
            return recent.value;
        }
        elements = null;
        T value = deserializer.deserialize(topic, encoding);
        lastRead = new Recent<>(encoding, value, null);
        add(lastRead);
        return value;
    }

    /** Returns the bytes of a value. */
    byte[] write(String topic, T value, CachedSchemaIdSerializer<T> serializer) {
        out.copyFrom(elements);
        try {
            serializer.encode(topic, value, out);
            byte[] encoding = out.toBytes();
            elements = out.elements(encoding);
            remove(lastRead);
            lastRead = null;
            add(new Recent<>(encoding, value, elements));
            return encoding;
        } finally {
            out.clear();
        }
    }

    private void add(Recent<T> recent) {
        int size = recent.encoding.length;
        int place = place(recent.encoding);
        Recent<T> replaced = at(place);
        if (size > MAX_BYTES) {
            return;
        }
        bytes += size - (replaced == null ? 0 : replaced.encoding.length);
        if (bytes > MAX_BYTES) {
            Arrays.fill(places, null);
            bytes = size;
        }
        places[place] = recent;
    }

    /** Forgets a value, so that replaced values do not take the room of others. */
    private void remove(Recent<T> recent) {
        if (recent != null && places[place(recent.encoding)] == recent) {
            places[place(recent.encoding)] = null;
            bytes -= recent.encoding.length;
        }
    }

    @SuppressWarnings("unchecked")
    private Recent<T> at(int place) {
        return (Recent<T>) places[place];
    }

    private static int place(byte[] encoding) {
        return System.identityHashCode(encoding) & PLACES - 1;
    }
}
