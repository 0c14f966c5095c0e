package dev.parley.serde;

import io.confluent.kafka.serializers.KafkaAvroDeserializer;
import java.nio.ByteBuffer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Deserializes records of one generated class. Looks up the writer's schema before decoding, so that a failure has one
 * of two meanings: the registry is unavailable, or the bytes are unreadable.
 */
final class CheckedDeserializer<T extends SpecificRecord> implements Deserializer<T> {
    private static final byte MAGIC = 0;
    private static final int PREFIX_BYTES = 5;
    private static final int MAX_REASON = 200;
    private static final int NONE = -1;

    private final Class<T> type;
    private final KafkaAvroDeserializer confluent;
    private final WriterSchemas schemas;

    /** ID of the last writer schema found; most topics have one. */
    private volatile int known = NONE;

    CheckedDeserializer(Class<T> type, KafkaAvroDeserializer confluent, WriterSchemas schemas) {
        this.type = type;
        this.confluent = confluent;
        this.schemas = schemas;
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
        if (id != known || id == NONE) {
            schemas.require(topic, id);
            known = id;
        }
        Object value;
        try {
            value = confluent.deserialize(topic, bytes);
        } catch (RuntimeException | StackOverflowError e) {
            if (e instanceof KafkaException failure && RegistryFailures.isUnavailable(failure)) {
                throw failure;
            }
            throw new UnreadableRecordException(
                    "The value is not a " + type.getSimpleName() + " of schema " + id + ": " + reason(e), e);
        }
        if (!type.isInstance(value)) {
            throw new UnreadableRecordException("Topic " + topic + " must contain records of " + type.getName()
                    + ", but contains "
                    + (value == null ? "null" : value.getClass().getName()));
        }
        return type.cast(value);
    }

    /** The innermost message; Confluent's own message contains only the schema ID. */
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

    @Override
    public void close() {
        confluent.close();
    }
}
