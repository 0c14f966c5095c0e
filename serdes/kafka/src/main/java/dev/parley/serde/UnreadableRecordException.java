package dev.parley.serde;

import org.apache.kafka.common.errors.SerializationException;

/**
 * Bytes that are permanently not a record of the expected type: too short, with another magic byte or an unknown schema
 * ID, of another record type, or malformed Avro. A retry cannot succeed; skip or refuse the record.
 */
public final class UnreadableRecordException extends SerializationException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with the problem as a sentence. */
    public UnreadableRecordException(String message) {
        super(message);
    }

    UnreadableRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
