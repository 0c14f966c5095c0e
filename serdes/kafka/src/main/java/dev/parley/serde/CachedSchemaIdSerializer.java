package dev.parley.serde;

import dev.parley.encoding.ByteOutput;
import dev.parley.encoding.EncodedRecord;
import dev.parley.encoding.RecordEncoder;
import io.confluent.kafka.serializers.KafkaAvroSerializer;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Serializes records of one generated class to the same bytes as Confluent's serializer. That serializer handles the
 * first record of each topic and registers or finds the schema; this one caches the schema ID and encodes with
 * {@link RecordEncoder}. Confluent's serializer looks the ID up for every record, which costs several times as much as
 * writing the record. Thread-safe.
 */
final class CachedSchemaIdSerializer<T extends SpecificRecord> implements Serializer<T> {
    private static final int PREFIX_BYTES = 5;
    private static final int USUAL_BYTES = 1_024;

    private final KafkaAvroSerializer confluent;
    private final RecordEncoder encoder;
    private final Map<String, byte[]> prefixes = new ConcurrentHashMap<>();

    /** The prefix of the last topic; most serializers have one topic, always the same string. */
    private volatile Known last = new Known(null, null);

    private final ThreadLocal<ByteOutput> buffers = ThreadLocal.withInitial(() -> new ByteOutput(USUAL_BYTES));

    private record Known(String topic, byte[] prefix) {}

    CachedSchemaIdSerializer(Class<T> type, KafkaAvroSerializer confluent) {
        this.confluent = confluent;
        this.encoder = RecordEncoder.of(type);
    }

    @Override
    public byte[] serialize(String topic, T value) {
        if (value == null) {
            return null;
        }
        ByteOutput out = buffers.get();
        try {
            encode(topic, value, out);
            return out.toBytes();
        } finally {
            out.clear();
        }
    }

    /** Appends a value with the prefix of its topic. */
    void encode(String topic, T value, ByteOutput out) {
        byte[] prefix = prefix(topic, value);
        try {
            out.raw(prefix, 0, PREFIX_BYTES);
            encoder.encode(value, out);
        } catch (RuntimeException invalid) {
            throw new SerializationException(
                    "A record for topic " + topic + " does not match its schema: " + invalid.getMessage(), invalid);
        }
    }

    /** Returns the bytes of an encoded record with the prefix of its topic. */
    byte[] withPrefix(String topic, EncodedRecord<T> encoded) {
        byte[] value = Arrays.copyOf(prefix(topic, encoded.record()), PREFIX_BYTES + encoded.bytes().length);
        System.arraycopy(encoded.bytes(), 0, value, PREFIX_BYTES, encoded.bytes().length);
        return value;
    }

    @SuppressWarnings("ReferenceEquality")
    private byte[] prefix(String topic, T value) {
        Known known = last;
        if (known.topic == topic) {
            return known.prefix;
        }
        byte[] prefix = prefixes.computeIfAbsent(topic, name -> Arrays.copyOf(register(name, value), PREFIX_BYTES));
        last = new Known(topic, prefix);
        return prefix;
    }

    private byte[] register(String topic, T value) {
        try {
            return confluent.serialize(topic, value);
        } catch (SerializationException e) {
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof IOException) {
                    // Writing to memory cannot fail, so the failure comes from the registry.
                    throw new RegistryUnavailableException(e.getMessage(), e);
                }
            }
            throw e;
        }
    }

    @Override
    public void close() {
        confluent.close();
    }
}
