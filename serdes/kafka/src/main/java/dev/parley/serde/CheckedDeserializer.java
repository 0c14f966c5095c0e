package dev.parley.serde;

import dev.parley.codec.Excerpt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.cache.Cache;
import org.apache.kafka.common.cache.LRUCache;
import org.apache.kafka.common.cache.SynchronizedCache;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Deserializes records of one generated class, or of any schema. Looks up the writer's schema before decoding, so that
 * a failure has one of two meanings: the registry is unavailable, or the bytes are unreadable. Keeps a reader for each
 * writer's schema: Confluent's deserializer looks the schema up for every record and creates a reader, which costs
 * several times as much as reading the record. Thread-safe.
 */
final class CheckedDeserializer<T> implements Deserializer<T> {
    private static final byte MAGIC = 0;
    private static final int PREFIX_BYTES = 5;
    private static final int MAX_REASON = 200;

    /** Maximum number of readers. A topic has few writer's schemas, unless someone registers them as an attack. */
    static final int MAX_READERS = 100;

    private final Schema expected;
    private final Function<Schema, DatumReader<T>> maker;
    private final WriterSchemas schemas;
    private final Cache<Integer, DatumReader<T>> readers = new SynchronizedCache<>(new LRUCache<>(MAX_READERS));

    /** The last reader used; most topics have one. */
    private volatile Known<T> last = new Known<>(-1, null);

    private record Known<T>(int id, DatumReader<T> reader) {}

    /**
     * @param expected schema of the records, any version of it; null for any records
     * @param maker makes the reader of a writer's schema
     */
    private CheckedDeserializer(Schema expected, Function<Schema, DatumReader<T>> maker, WriterSchemas schemas) {
        this.expected = expected;
        this.maker = maker;
        this.schemas = schemas;
    }

    /** Reads records of a generated class. */
    static <T extends SpecificRecord> CheckedDeserializer<T> of(Class<T> type, WriterSchemas schemas) {
        Schema schema = SpecificData.get().getSchema(type);
        SpecificData model = SpecificData.getForClass(type);
        return new CheckedDeserializer<>(schema, writer -> new SpecificDatumReader<>(writer, schema, model), schemas);
    }

    /** Reads any records, with the writer's schema. */
    static CheckedDeserializer<GenericRecord> ofAny(WriterSchemas schemas) {
        return new CheckedDeserializer<>(null, GenericDatumReader::new, schemas);
    }

    @Override
    public T deserialize(String topic, byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        if (bytes.length < PREFIX_BYTES) {
            throw new UnreadableRecordException("The value must have at least " + PREFIX_BYTES
                    + " bytes for a magic byte and a schema ID, but has " + bytes.length);
        }
        if (bytes[0] != MAGIC) {
            throw new UnreadableRecordException(
                    "The value must start with byte 0 of Confluent's wire format, but starts with "
                            + (bytes[0] & 0xff));
        }
        int id = ByteBuffer.wrap(bytes, 1, Integer.BYTES).getInt();
        Known<T> known = last;
        if (id != known.id || known.reader == null) {
            known = new Known<>(id, reader(topic, id));
            last = known;
        }
        try {
            return known.reader.read(
                    null, DecoderFactory.get().binaryDecoder(bytes, PREFIX_BYTES, bytes.length - PREFIX_BYTES, null));
        } catch (IOException | RuntimeException | StackOverflowError e) {
            throw unreadable(id, e);
        }
    }

    private DatumReader<T> reader(String topic, int id) {
        DatumReader<T> reader = readers.get(id);
        if (reader == null) {
            Schema writer = schemas.require(topic, id);
            if (writer.getType() != Schema.Type.RECORD
                    || (expected != null && !writer.getFullName().equals(expected.getFullName()))) {
                throw new UnreadableRecordException("Topic " + topic + " must contain records"
                        + (expected == null ? "" : " of " + expected.getFullName()) + ", but contains "
                        + writer.getFullName());
            }
            reader = maker.apply(writer);
            readers.put(id, reader);
        }
        return reader;
    }

    private UnreadableRecordException unreadable(int id, Throwable failure) {
        return new UnreadableRecordException(
                "The value is not a " + (expected == null ? "record" : expected.getName()) + " of schema " + id + ": "
                        + reason(failure),
                failure);
    }

    /** The innermost message, which says what is wrong. */
    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String name = root.getClass().getSimpleName();
        if (root.getMessage() == null) {
            return name;
        }
        // A message may quote the writer's schema, whose author controls its length.
        return name + ": " + Excerpt.cut(root.getMessage(), MAX_REASON);
    }
}
