package dev.parley.server.ingest;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An idempotency key. It is unique for its caller.
 *
 * @param parts its kind, then its parts. They are compared one by one: two keys that differ never become equal
 */
record IdempotencyKey(List<String> parts) {

    /** The key that the caller chose for a message. */
    static IdempotencyKey of(String key) {
        return new IdempotencyKey(List.of("key", key));
    }

    /** The key of a line that has none, in a request that has one. */
    static IdempotencyKey ofLine(String key, int number) {
        return new IdempotencyKey(List.of("line", key, Integer.toString(number)));
    }

    /** The key of a CloudEvent. */
    static IdempotencyKey ofEvent(String source, String id) {
        return new IdempotencyKey(List.of("event", source, id));
    }

    /** UTF-8 bytes of what the caller chose. */
    int bytes() {
        return parts.stream()
                .skip(1)
                .mapToInt(part -> part.getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }
}
