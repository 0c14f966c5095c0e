package dev.parley.decode;

import dev.parley.codec.IsoTimestamp;
import dev.parley.codec.RecordHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Reads the time that a producer claims for its message: the CloudEvents header {@value RecordHeaders#TIME}, in RFC
 * 3339. Parley stores and shows the claim, but no decision uses it.
 */
public final class ProducerTime {
    /** A date and time to the nanosecond with an offset, such as 2026-01-31T12:00:00.123456789+01:00. */
    private static final int MAX_BYTES = 35;

    private static final int MIN_BYTES = 20;

    private ProducerTime() {}

    /**
     * Returns the claimed time of a record.
     *
     * @return null if the header is absent or is not an RFC 3339 time
     */
    public static Instant of(RecordHeaders headers) {
        byte[] value = headers.last(RecordHeaders.TIME);
        return value == null || value.length < MIN_BYTES || value.length > MAX_BYTES
                ? null
                : IsoTimestamp.parseRfc3339(new String(value, StandardCharsets.ISO_8859_1));
    }
}
