package dev.parley.decode;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The headers of a record that decoding needs. The names of headers are case-insensitive, because HTTP bridges change
 * their case.
 */
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

    /** Creation time of the message as its producer claims it (CloudEvents): RFC 3339. */
    String TIME = "ce_time";

    /** Trace context of W3C. */
    String TRACEPARENT = "traceparent";

    /** Trace state of W3C. */
    String TRACESTATE = "tracestate";

    /** Namespace of a record without a namespace header. */
    String DEFAULT_NAMESPACE = "default";

    RecordHeaders NONE = name -> null;

    /**
     * Whether a header has a name.
     *
     * @param key the key of the header, in any case
     * @param name the name, in lower case
     */
    static boolean isNamed(String key, String name) {
        if (key.length() != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = key.charAt(i);
            // ASCII only: the Kelvin sign is not a k.
            if (c != name.charAt(i) && (c < 'A' || c > 'Z' || c + ('a' - 'A') != name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Headers of different names, with values that may be null. */
    static RecordHeaders of(Map<String, byte[]> headers) {
        return new RecordHeaders() {
            @Override
            public byte[] last(String name) {
                byte[] last = null;
                for (Map.Entry<String, byte[]> header : headers.entrySet()) {
                    last = isNamed(header.getKey(), name) ? header.getValue() : last;
                }
                return last;
            }

            @Override
            public int count() {
                return headers.size();
            }

            @Override
            public long bytes() {
                long bytes = 0;
                for (Map.Entry<String, byte[]> header : headers.entrySet()) {
                    bytes += header.getKey().getBytes(StandardCharsets.UTF_8).length
                            + (header.getValue() == null ? 0 : header.getValue().length);
                }
                return bytes;
            }
        };
    }

    /**
     * Returns the last value of a header, whatever the case of its name.
     *
     * @param name the name, in lower case
     * @return its bytes; null if the header is absent or null
     */
    byte[] last(String name);

    /** Number of all headers; 0 if unknown, in which case no limit applies. */
    default int count() {
        return 0;
    }

    /** Size of all header keys and values in bytes; 0 if unknown, in which case no limit applies. */
    default long bytes() {
        return 0;
    }
}
