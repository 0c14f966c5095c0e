package dev.parley.topology.kafka;

import dev.parley.codec.TrustedRecords;
import dev.parley.encoding.ByteOutput;
import dev.parley.encoding.RecordEncoder;
import dev.parley.serde.UnreadableRecordException;
import java.io.IOException;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values of state stores: plain Avro without a registry, because they never leave their store. When a schema changes,
 * the store gets another name and is rebuilt.
 *
 * @param <T> type of the value
 */
public final class StoredValues<T extends SpecificRecord> {
    private static final Logger LOG = LoggerFactory.getLogger(StoredValues.class);
    private static final int INITIAL_BYTES = 256;

    private final String name;
    private final RecordEncoder encoder;
    /** Thread-safe: the reader keeps its resolved schema per thread. */
    private final SpecificDatumReader<T> reader;

    public StoredValues(Class<T> type) {
        TrustedRecords.trust();
        Schema schema = SpecificData.get().getSchema(type);
        this.name = schema.getName();
        this.encoder = RecordEncoder.of(type);
        this.reader = new SpecificDatumReader<>(schema);
    }

    /** Reads a stored value; empty if the bytes are null or, with one ERROR line, unreadable. */
    public Optional<T> readOrSkip(byte[] bytes) {
        if (bytes == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(decode(bytes));
        } catch (UnreadableRecordException e) {
            LOG.error("{}; the value is ignored. Another client wrote to the changelog", e.getMessage());
            return Optional.empty();
        }
    }

    public byte[] encode(T value) {
        ByteOutput out = new ByteOutput(INITIAL_BYTES);
        encoder.encode(value, out);
        return out.toBytes();
    }

    /**
     * Reads a stored value.
     *
     * @throws UnreadableRecordException if the bytes are not such a value because another client wrote to the changelog
     */
    public T decode(byte[] bytes) {
        UnreadableValues.requireValid(bytes);
        try {
            return reader.read(null, DecoderFactory.get().binaryDecoder(bytes, null));
        } catch (IOException | RuntimeException e) {
            throw new UnreadableRecordException(
                    "The store holds a value that is not a " + name + ": " + e.getMessage());
        }
    }

    /** A serde that reads an unreadable value as null, with one ERROR line. */
    public Serde<T> serde() {
        return Serdes.serdeFrom(
                (topic, value) -> value == null ? null : encode(value),
                (topic, bytes) -> readOrSkip(bytes).orElse(null));
    }
}
