package dev.parley.load.cost;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;

/** Records in the form of the stores, without the five bytes of magic byte and schema ID. Not thread-safe. */
final class AvroBytes<T> {
    private final SpecificDatumWriter<T> writer;
    private final SpecificDatumReader<T> reader;

    AvroBytes(Schema schema) {
        writer = new SpecificDatumWriter<>(schema);
        reader = new SpecificDatumReader<>(schema);
    }

    byte[] write(T record) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        try {
            writer.write(record, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    T read(byte[] bytes) {
        try {
            return reader.read(null, DecoderFactory.get().binaryDecoder(bytes, null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
