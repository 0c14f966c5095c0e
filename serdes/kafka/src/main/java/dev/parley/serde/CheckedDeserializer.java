package dev.parley.serde;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
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

    private final String name;
    private final BiFunction<String, Schema, DatumReader<T>> maker;
    private final WriterSchemas schemas;
    private final Map<Integer, DatumReader<T>> readers = new ConcurrentHashMap<>();

    /** The last reader used; most topics have one. */
    private volatile Known<T> last = new Known<>(-1, null);

    private record Known<T>(int id, DatumReader<T> reader) {}

    /**
     * @param name name of the records, for messages
     * @param maker makes the reader of a topic and writer's schema
     */
    private CheckedDeserializer(String name, BiFunction<String, Schema, DatumReader<T>> maker, WriterSchemas schemas) {
        this.name = name;
        this.maker = maker;
        this.schemas = schemas;
    }

    /** Reads records of a generated class. */
    static <T extends SpecificRecord> CheckedDeserializer<T> of(Class<T> type, WriterSchemas schemas) {
        Schema schema = SpecificData.get().getSchema(type);
        SpecificData model = SpecificData.getForClass(type);
        return new CheckedDeserializer<>(
                type.getSimpleName(),
                (topic, writer) -> {
                    if (writer.getType() != Schema.Type.RECORD
                            || !writer.getFullName().equals(schema.getFullName())) {
                        throw new UnreadableRecordException("Topic " + topic + " must contain records of "
                                + type.getName() + ", but contains " + writer.getFullName());
                    }
                    return new SpecificDatumReader<>(writer, schema, model);
                },
                schemas);
    }

    /** Reads any records, with the writer's schema. */
    static CheckedDeserializer<GenericRecord> ofAny(WriterSchemas schemas) {
        return new CheckedDeserializer<>(
                "record",
                (topic, writer) -> {
                    if (writer.getType() != Schema.Type.RECORD) {
                        throw new UnreadableRecordException(
                                "Topic " + topic + " must contain records, but contains " + writer.getFullName());
                    }
                    return new GenericDatumReader<>(writer);
                },
                schemas);
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
            reader = maker.apply(topic, schemas.require(topic, id));
            if (readers.size() >= MAX_READERS) {
                readers.clear();
            }
            readers.put(id, reader);
        }
        return reader;
    }

    private UnreadableRecordException unreadable(int id, Throwable failure) {
        return new UnreadableRecordException(
                "The value is not a " + name + " of schema " + id + ": " + reason(failure), failure);
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
        String message = root.getMessage();
        return name + ": " + (message.length() <= MAX_REASON ? message : message.substring(0, MAX_REASON) + "…");
    }
}
