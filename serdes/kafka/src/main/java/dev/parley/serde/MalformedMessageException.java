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
     * Creates an exception for a decode error.
     *
     * @param topic the topic of the record; null if unknown
     * @param code the code of the error
     * @param offset its 0-based byte offset in the value
     * @param detail a sentence for the author of the message
     */
    public MalformedMessageException(String topic, Code code, int offset, String detail) {
        super(code + " at byte " + offset + (topic == null ? "" : " of a value of topic " + topic) + ": " + detail);
        this.code = code;
        this.offset = offset;
        this.detail = detail;
    }

    /** The code of the decode error. */
    public Code code() {
        return code;
    }

    /** The 0-based byte offset of the error in the value; the value's length for missing parts. */
    public int offset() {
        return offset;
    }

    /** A sentence for the author of the message. */
    public String detail() {
        return detail;
    }
}
