package dev.parley.decode;

import dev.parley.codec.Code;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.RecordDecodeResult.Undecodable;

/**
 * Limits of the parts of an input record. Brokers limit only the compressed batch, so the producer controls every
 * uncompressed size. {@link Limits#messageBytes} limits the value.
 */
public final class RecordBounds {
    /** Maximum size of a record key, in bytes. */
    public static final int MAX_KEY_BYTES = 64 << 10;
    /** Maximum number of record headers. */
    public static final int MAX_HEADERS = 1_000;
    /** Maximum size of all header keys and values together, in bytes. */
    public static final long MAX_HEADER_BYTES = 256L << 10;

    private RecordBounds() {}

    /** Whether a part of the record exceeds its limit, so that the record must not be processed further. */
    public static boolean isExceeded(WireRecord record, Limits limits) {
        return record.value() != null && record.value().length > limits.messageBytes()
                || !isKeyAllowed(record)
                || !areHeadersAllowed(record.headers());
    }

    /** Whether the key is within its limit. */
    public static boolean isKeyAllowed(WireRecord record) {
        return record.key() == null || record.key().length <= MAX_KEY_BYTES;
    }

    /** Whether the number and size of the headers are within their limits. */
    public static boolean areHeadersAllowed(RecordHeaders headers) {
        return headers.count() <= MAX_HEADERS && headers.bytes() <= MAX_HEADER_BYTES;
    }

    /** The decode error for a key or headers beyond their limits; null if they are within them. */
    static Undecodable error(WireRecord record) {
        RecordHeaders headers = record.headers();
        if (!areHeadersAllowed(headers)) {
            return new Undecodable(
                    null,
                    Code.HEADERS_TOO_LARGE,
                    0,
                    headers.count() + " headers of " + headers.bytes() + " bytes, but the maximum is " + MAX_HEADERS
                            + " headers with " + MAX_HEADER_BYTES + " bytes");
        }
        if (!isKeyAllowed(record)) {
            return new Undecodable(
                    ClaimsReader.claims(record, null, null, Diagnosis.NONE),
                    Code.KEY_TOO_LARGE,
                    0,
                    "the record key has " + record.key().length + " bytes, but the maximum is " + MAX_KEY_BYTES);
        }
        return null;
    }
}
