package dev.parley.fuzz;

import static dev.parley.fuzz.Promise.requireEqual;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.util.ClassSecurityValidator;

/**
 * Records as the bytes that topics and stores hold.
 *
 * @param <R> the generated record
 */
final class AvroForm<R extends SpecificRecord> {
    static {
        // Avro refuses to instantiate record classes outside the packages that it was told to trust.
        ClassSecurityValidator.setGlobal(ClassSecurityValidator.composite(
                ClassSecurityValidator.getGlobal(), type -> type.getName().startsWith("dev.parley.avro.")));
    }

    private final SpecificDatumWriter<R> writer;
    private final SpecificDatumReader<R> reader;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    private BinaryEncoder encoder;
    private BinaryDecoder decoder;

    AvroForm(Class<R> type) {
        writer = new SpecificDatumWriter<>(type);
        reader = new SpecificDatumReader<>(type);
    }

    byte[] write(R record) {
        try {
            out.reset();
            encoder = EncoderFactory.get().binaryEncoder(out, encoder);
            writer.write(record, encoder);
            encoder.flush();
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("a record that is whole can be written", e);
        }
    }

    R read(byte[] bytes) {
        try {
            decoder = DecoderFactory.get().binaryDecoder(bytes, decoder);
            return reader.read(null, decoder);
        } catch (IOException e) {
            throw new UncheckedIOException("what was written can be read", e);
        }
    }

    /** Fails unless the record comes back from its bytes as it was. */
    void requireLossless(R record) {
        requireEqual(read(write(record)), record, "a record comes back from its Avro form");
    }
}
