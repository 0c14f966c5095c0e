package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.util.List;

/**
 * The part of a message that only the input topic has.
 *
 * @param status whether it has it, see {@link Status}
 * @param key key of the record; null if there is none, or if not available
 * @param headers headers of the record, in order; null if not available
 */
public record InputDetails(
        String status, @Nullable EncodedText key, @Nullable List<RecordHeader> headers) {

    /** Whether key and headers are available. */
    public enum Status {
        AVAILABLE,
        /** The input topic no longer has the record. */
        EXPIRED,
        /** The record is that of a redaction. */
        NO_MESSAGE,
        /** The message is redacted. */
        REDACTED,
        /** The input topic has other bytes at this position. */
        REPLACED
    }

    /** Neither key nor headers, for a reason. */
    public static InputDetails without(Status reason) {
        return new InputDetails(reason.name(), null, null);
    }
}
