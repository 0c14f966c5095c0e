package dev.parley.fuzz;

import static dev.parley.fuzz.Promise.requireEqual;

import dev.parley.codec.TrustedRecords;
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

/**
 * Converts records to the bytes in topics and stores.
 *
 * @param <R> the generated record
 */
final class AvroForm<R extends SpecificRecord> {
    static {
        TrustedRecords.trust();
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
            throw new UncheckedIOException("a complete record must be writable", e);
        }
    }

    R read(byte[] bytes) {
        try {
            decoder = DecoderFactory.get().binaryDecoder(bytes, decoder);
            return reader.read(null, decoder);
        } catch (IOException e) {
            throw new UncheckedIOException("written bytes must be readable", e);
        }
    }

    /** Requires that the record round-trips through its bytes. */
    void requireLossless(R record) {
        requireEqual(read(write(record)), record, "a record must round-trip through its Avro form");
    }
}
