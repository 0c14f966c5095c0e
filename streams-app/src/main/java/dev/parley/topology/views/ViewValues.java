package dev.parley.topology.views;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.serde.UnreadableRecordException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values of the view stores: plain Avro without a registry, because they never leave their store. When a schema
 * changes, the store gets another name and is rebuilt.
 *
 * @param <T> type of the value
 */
public final class ViewValues<T extends SpecificRecord> {

    public static final ViewValues<ConversationSummary> CONVERSATION =
            new ViewValues<>(ConversationSummary.getClassSchema());

    public static final ViewValues<DeadLetterSummary> DEAD_LETTER =
            new ViewValues<>(DeadLetterSummary.getClassSchema());

    private static final Logger LOG = LoggerFactory.getLogger(ViewValues.class);

    private final Schema schema;

    private ViewValues(Schema schema) {
        this.schema = schema;
    }

    /** Reads a stored value; empty if the bytes are null or, with one ERROR line, unreadable. */
    Optional<T> readOrSkip(byte[] bytes) {
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
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
        try {
            new SpecificDatumWriter<T>(schema).write(value, encoder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /**
     * Reads a stored value.
     *
     * @throws UnreadableRecordException if the bytes are not such a value because another client wrote to the changelog
     */
    public T decode(byte[] bytes) {
        try {
            return new SpecificDatumReader<T>(schema)
                    .read(null, DecoderFactory.get().binaryDecoder(bytes, null));
        } catch (IOException | RuntimeException e) {
            throw new UnreadableRecordException(
                    "The store holds a value that is not a " + schema.getName() + ": " + e.getMessage());
        }
    }
}
