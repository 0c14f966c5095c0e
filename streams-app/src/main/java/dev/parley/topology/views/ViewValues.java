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
 * Values that only the views write: plain Avro. They never leave their store, so no registry knows them; when their
 * schema changes, the store's name changes with it and the store is built anew.
 *
 * @param <T> the record
 */
public final class ViewValues<T extends SpecificRecord> {

    /** Summaries of conversations. */
    public static final ViewValues<ConversationSummary> CONVERSATION =
            new ViewValues<>(ConversationSummary.getClassSchema());

    /** Summaries of dead letters. */
    public static final ViewValues<DeadLetterSummary> DEAD_LETTER =
            new ViewValues<>(DeadLetterSummary.getClassSchema());

    private static final Logger LOG = LoggerFactory.getLogger(ViewValues.class);

    private final Schema schema;

    private ViewValues(Schema schema) {
        this.schema = schema;
    }

    /**
     * A value of the store; empty where there is none, or, with one ERROR line, where the bytes are not such a value.
     */
    Optional<T> readOrSkip(byte[] bytes) {
        if (bytes == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(decode(bytes));
        } catch (UnreadableRecordException e) {
            LOG.error("{}; it is ignored. Somebody else wrote to the changelog", e.getMessage());
            return Optional.empty();
        }
    }

    /** What stands in the store. */
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
     * Reads a value of the store.
     *
     * @throws UnreadableRecordException when the bytes are not such a value: somebody else wrote to the changelog
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
