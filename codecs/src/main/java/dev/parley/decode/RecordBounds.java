package dev.parley.decode;

import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.codec.Limits;

/**
 * Bounds on the parts of an input record. Brokers bound only the compressed batch, so its producer chooses every uncompressed size. The value is bounded by
 * {@link Limits#messageBytes}.
 */
public final class RecordBounds {
    /** Maximum size of a record key, in bytes. */
    public static final int MAX_KEY_BYTES = 64 << 10;
    /** Maximum number of record headers. */
    public static final int MAX_HEADERS = 1_000;
    /** Maximum size of all header keys and values together, in bytes. */
    public static final long MAX_HEADER_BYTES = 256L << 10;

    private RecordBounds() {}

    /** Whether a part of the record exceeds its bound, so that the record must not be carried any further. */
    public static boolean isExceeded(WireRecord record, Limits limits) {
        return record.value() != null && record.value().length > limits.messageBytes()
                || !isKeyAllowed(record)
                || !areHeadersAllowed(record.headers());
    }

    /** Whether the key is within its bound. */
    public static boolean isKeyAllowed(WireRecord record) {
        return record.key() == null || record.key().length <= MAX_KEY_BYTES;
    }

    /** Whether number and size of the headers are within their bounds. */
    public static boolean areHeadersAllowed(RecordHeaders headers) {
        return headers.count() <= MAX_HEADERS && headers.bytes() <= MAX_HEADER_BYTES;
    }

    /** The fault of a record whose key or headers exceed their bounds; null when they do not. */
    static Decoding.Undecodable fault(WireRecord record) {
        RecordHeaders headers = record.headers();
        if (!areHeadersAllowed(headers)) {
            return new Decoding.Undecodable(
                    Protocol.UNKNOWN,
                    RecordHeaders.DEFAULT_NAMESPACE,
                    Code.HEADERS_TOO_LARGE,
                    0,
                    headers.count() + " headers of " + headers.bytes() + " bytes; the limits are " + MAX_HEADERS
                            + " headers and " + MAX_HEADER_BYTES + " bytes");
        }
        if (!isKeyAllowed(record)) {
            return new Decoding.Undecodable(
                    Protocol.UNKNOWN,
                    RecordHeaders.DEFAULT_NAMESPACE,
                    Code.KEY_TOO_LARGE,
                    0,
                    "the record key has " + record.key().length + " bytes; the limit is " + MAX_KEY_BYTES);
        }
        return null;
    }
}
