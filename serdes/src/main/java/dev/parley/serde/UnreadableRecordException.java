package dev.parley.serde;

import org.apache.kafka.common.errors.SerializationException;

/**
 * Bytes that are not a record of the expected type, and never will be: too short, another magic byte, a schema ID that the registry does not have, another record type,
 * malformed Avro. Retrying does not help; the record must be skipped or refused.
 */
public final class UnreadableRecordException extends SerializationException {
    private static final long serialVersionUID = 1L;

    /** An exception with a sentence that says what is wrong with the bytes. */
    public UnreadableRecordException(String message) {
        super(message);
    }

    UnreadableRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
