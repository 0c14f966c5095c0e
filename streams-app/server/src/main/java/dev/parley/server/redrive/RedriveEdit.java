package dev.parley.server.redrive;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/**
 * Replacements for parts of the failed record. An empty part is sent as it was.
 *
 * @param value its value
 * @param key its key
 * @param headers all its headers, in order
 */
public record RedriveEdit(Optional<byte[]> value, Optional<Key> key, Optional<Headers> headers) {

    /** Changes nothing. */
    public static final RedriveEdit NONE = new RedriveEdit(Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * A record key.
     *
     * @param bytes null for no key
     */
    public record Key(byte[] bytes) {}

    /** The same edit with another value. */
    public RedriveEdit withValue(byte[] other) {
        return new RedriveEdit(Optional.of(other), key, headers);
    }

    /** Whether it changes nothing. */
    public boolean isEmpty() {
        return value.isEmpty() && key.isEmpty() && headers.isEmpty();
    }

    /** The same edit without the parts that equal those of a dead letter. */
    RedriveEdit changesOf(DeadLetterRecord letter) {
        return new RedriveEdit(
                value.filter(bytes -> !Arrays.equals(bytes, letter.value())),
                key.filter(other -> !Arrays.equals(other.bytes(), letter.key())),
                headers.filter(others -> !Objects.equals(others, letter.inputHeaders())));
    }
}
