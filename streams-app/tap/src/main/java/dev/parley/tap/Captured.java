package dev.parley.tap;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A record to send: a message that passed, or a mark without a value.
 *
 * @param session key of the record
 * @param value bytes of the message; not changed; null without one
 * @param headers record headers by name; not changed
 * @param time when it passed, in milliseconds since 1970
 * @param loss the loss that a gap states; null for other records, and for those from disk
 */
record Captured(String session, byte[] value, Map<String, String> headers, long time, Loss loss) {
    /** Bytes of a record in memory beyond its content. */
    private static final int OVERHEAD = 512;

    /**
     * The record that marks a gap.
     *
     * @param headers headers of all records of the tap
     */
    static Captured gap(String session, Map<String, String> headers, Loss loss) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        // A gap affects both directions; each record has one.
        all.put("parley-direction", Direction.SERVER_TO_CLIENT.toString());
        all.put("parley-capture", "gap");
        all.put(Loss.HEADER, loss.toString());
        return new Captured(session, null, all, System.currentTimeMillis(), loss);
    }

    /** Bytes of the message. */
    int length() {
        return value == null ? 0 : value.length;
    }

    /** Bytes that the record takes in memory, approximately. */
    long bytes() {
        long bytes = OVERHEAD + length();
        for (Map.Entry<String, String> header : headers.entrySet()) {
            bytes += header.getKey().length() + 2L * header.getValue().length();
        }
        return bytes;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
