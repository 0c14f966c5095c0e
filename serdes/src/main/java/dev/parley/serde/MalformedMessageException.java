package dev.parley.serde;

import dev.parley.codec.Code;
import org.apache.kafka.common.errors.SerializationException;

/** A value of a wire topic is not a message of its protocol. */
public final class MalformedMessageException extends SerializationException {
    private static final long serialVersionUID = 1L;

    private final Code code;
    private final int offset;
    private final String detail;

    /**
     * Of a fault that a codec found.
     *
     * @param topic the topic of the record, null when unknown
     * @param code the first fault
     * @param offset its 0-based byte offset into the value
     * @param detail a sentence that a person can act on
     */
    public MalformedMessageException(String topic, Code code, int offset, String detail) {
        super(code + " at byte " + offset + (topic == null ? "" : " of a value of topic " + topic) + ": " + detail);
        this.code = code;
        this.offset = offset;
        this.detail = detail;
    }

    /** The first fault. */
    public Code code() {
        return code;
    }

    /** The 0-based byte offset of the fault into the value; the value's length for what is missing. */
    public int offset() {
        return offset;
    }

    /** A sentence that a person can act on. */
    public String detail() {
        return detail;
    }
}
