package dev.parley.serde;

import io.confluent.kafka.serializers.KafkaAvroSerializer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Serializes records of one generated class to the same bytes as Confluent's serializer. That serializer handles the
 * first record of each topic and registers or finds the schema; this one caches the schema ID. Confluent's serializer
 * looks it up for every record, which costs several times as much as writing the record.
 */
final class CachedSchemaIdSerializer<T extends SpecificRecord> implements Serializer<T> {
    private static final int PREFIX_BYTES = 5;
    private static final int USUAL_BYTES = 512;

    private final KafkaAvroSerializer confluent;
    private final DatumWriter<T> writer;
    private final Map<String, byte[]> prefixes = new ConcurrentHashMap<>();

    CachedSchemaIdSerializer(Class<T> type, KafkaAvroSerializer confluent) {
        this.confluent = confluent;
        this.writer = new SpecificDatumWriter<>(SpecificData.get().getSchema(type), SpecificData.getForClass(type));
    }

    @Override
    public byte[] serialize(String topic, T value) {
        if (value == null) {
            return null;
        }
        byte[] prefix = prefixes.get(topic);
        if (prefix == null) {
            byte[] first = register(topic, value);
            prefixes.put(topic, Arrays.copyOf(first, PREFIX_BYTES));
            return first;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        bytes.writeBytes(prefix);
        try {
            BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
            writer.write(value, encoder);
            encoder.flush();
        } catch (IOException | RuntimeException invalid) {
            throw new SerializationException(
                    "A record for topic " + topic + " does not match its schema: " + invalid.getMessage(), invalid);
        }
        return bytes.toByteArray();
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
