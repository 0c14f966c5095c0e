package dev.parley.decode;

/** The headers of a record, as far as decoding reads them. */
@FunctionalInterface
public interface RecordHeaders {

    /** Agent system that the record belongs to; {@value #DEFAULT_NAMESPACE} when absent. */
    String NAMESPACE = "parley-namespace";

    /** Protocol of the record: slip, nslip, subit, csp, lambda or λ, in any case. */
    String PROTOCOL = "parley-protocol";

    /** Conversation of a message that carries none itself. */
    String CONVERSATION = "parley-conversation";

    /** Sender of a message that carries none itself; for SLIP the decimal agent id. */
    String SENDER = "parley-sender";

    /** When the message was made, as its producer claims (CloudEvents): RFC 3339. */
    String TIME = "ce_time";

    /** Namespace of a record without a namespace header. */
    String DEFAULT_NAMESPACE = "default";

    /** No headers. */
    RecordHeaders NONE = name -> null;

    /**
     * The last value of a header.
     *
     * @return its bytes, or null when the header is absent or null
     */
    byte[] last(String name);
}
