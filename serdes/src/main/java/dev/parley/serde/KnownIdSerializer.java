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
 * Writes what Confluent's serializer writes, byte for byte, for one generated class. The first record of a topic goes through Confluent's,
 * which registers or finds the schema; from then on its id is known. Finding it anew for every record, as Confluent's does, costs several
 * times as much as writing the record.
 */
final class KnownIdSerializer<T extends SpecificRecord> implements Serializer<T> {
    private static final int PREFIX_BYTES = 5;
    private static final int USUAL_BYTES = 512;

    private final KafkaAvroSerializer confluent;
    private final DatumWriter<T> writer;
    private final Map<String, byte[]> prefixes = new ConcurrentHashMap<>();

    KnownIdSerializer(Class<T> type, KafkaAvroSerializer confluent) {
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
                    "A record for topic " + topic + " does not fit its schema: " + invalid.getMessage(), invalid);
        }
        return bytes.toByteArray();
    }

    private byte[] register(String topic, T value) {
        try {
            return confluent.serialize(topic, value);
        } catch (SerializationException e) {
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof IOException) {
                    // The record is written to memory; only the registry can fail so.
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
