package dev.parley.codec;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The headers of a record that decoding needs. The names of headers are case-insensitive, because HTTP bridges change
 * their case.
 */
@FunctionalInterface
public interface RecordHeaders {

    /** Agent system that the record belongs to; {@value #DEFAULT_NAMESPACE} when absent. */
    String NAMESPACE = "parley-namespace";

    /** Protocol of the record: slip, nslip, subit, csp, lambda, λ or mcp, in any case. */
    String PROTOCOL = "parley-protocol";

    /** Conversation of a message that carries none itself. */
    String CONVERSATION = "parley-conversation";

    /** Sender of a message that carries none itself; for SLIP the decimal agent id. */
    String SENDER = "parley-sender";

    /** Condition under which the message is applied: the position of its conversation, that it is accepted, or both. */
    String EXPECT = "parley-expect";

    /** Creation time of the message as its producer claims it (CloudEvents): RFC 3339. */
    String TIME = "ce_time";

    /** Trace context of W3C. */
    String TRACEPARENT = "traceparent";

    /** Trace state of W3C. */
    String TRACESTATE = "tracestate";

    /** Namespace of a record without a namespace header. */
    String DEFAULT_NAMESPACE = "default";

    RecordHeaders NONE = visitor -> {};

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

    /** Headers of different names, with texts as values. */
    static RecordHeaders ofText(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return NONE;
        }
        Map<String, byte[]> values = new LinkedHashMap<>();
        headers.forEach((name, text) -> values.put(name, text.getBytes(StandardCharsets.UTF_8)));
        return of(values);
    }

    /** Headers of different names, with values that may be null. */
    static RecordHeaders of(Map<String, byte[]> headers) {
        return new RecordHeaders() {
            @Override
            public void forEach(BiConsumer<String, byte[]> visitor) {
                headers.forEach(visitor);
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

    /** Passes all headers, with values that may be null, to a visitor in their order. */
    void forEach(BiConsumer<String, byte[]> visitor);

    /**
     * Returns the last value of a header, whatever the case of its name.
     *
     * @param name the name, in lower case
     * @return its bytes; null if the header is absent or null
     */
    default byte[] last(String name) {
        byte[][] last = new byte[1][];
        forEach((key, value) -> last[0] = isNamed(key, name) ? value : last[0]);
        return last[0];
    }

    /** Number of all headers; 0 if unknown, in which case no limit applies. */
    default int count() {
        return 0;
    }

    /** Size of all header keys and values in bytes; 0 if unknown, in which case no limit applies. */
    default long bytes() {
        return 0;
    }
}
