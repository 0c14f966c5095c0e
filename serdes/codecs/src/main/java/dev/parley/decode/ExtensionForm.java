package dev.parley.decode;

import dev.parley.avro.Extension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Form of a record whose protocol has no field of its own in Parley's schemas: an {@link Extension}. For any number of
 * threads.
 *
 * @param <R> the generated record
 */
public final class ExtensionForm<R extends SpecificRecord> {
    private final String protocol;
    private final BinaryMessageEncoder<R> encoder;
    private final BinaryMessageDecoder<R> decoder;

    /**
     * A form.
     *
     * @param protocol name of the protocol
     * @param type the generated record
     * @param earlier schemas with which earlier versions wrote it
     */
    public ExtensionForm(String protocol, Class<R> type, List<Schema> earlier) {
        SpecificData data = new KnownRecords(type);
        Schema schema = data.getSchema(type);
        this.protocol = protocol;
        this.encoder = new BinaryMessageEncoder<>(data, schema);
        this.decoder = new BinaryMessageDecoder<>(data, schema);
        earlier.forEach(decoder::addSchema);
    }

    /** Writes a record; null as null. */
    public Extension write(R record) {
        try {
            return record == null ? null : new Extension(protocol, encoder.encode(record));
        } catch (IOException e) {
            throw new UncheckedIOException("Encoding into memory failed.", e);
        }
    }

    /**
     * Reads a record.
     *
     * @return null if there is no extension, or it is another protocol's
     * @throws org.apache.avro.AvroRuntimeException if the body was written with a schema that is not known
     */
    public R read(Extension extension) {
        if (extension == null || !protocol.equals(extension.getProtocol())) {
            return null;
        }
        try {
            return decoder.decode(extension.getBody().duplicate(), null);
        } catch (IOException e) {
            throw new UncheckedIOException("The body of a " + protocol + " extension cannot be read.", e);
        }
    }

    /**
     * Instantiates the classes that a schema names. Avro does so for trusted packages only, because schemas may come
     * with data; these come with the code of the protocol.
     */
    private static final class KnownRecords extends SpecificData {
        KnownRecords(Class<?> type) {
            super(type.getClassLoader());
            SpecificData.getForClass(type).getConversions().forEach(this::addLogicalTypeConversion);
        }

        @Override
        public Class<?> getClass(Schema schema) {
            return switch (schema.getType()) {
                case RECORD, ENUM, FIXED -> named(schema.getFullName());
                default -> super.getClass(schema);
            };
        }

        private Class<?> named(String name) {
            try {
                return Class.forName(name, true, getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new IllegalArgumentException("No class is generated from the schema of " + name + ".", e);
            }
        }
    }
}
