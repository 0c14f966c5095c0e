package dev.parley.stage;

import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Omitted;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.RecordBounds;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.Sha256;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Summarizes records that are too large to be stored: the summary replaces the value in topics, stores, and dead
 * letters.
 */
public final class OversizedRecords {
    /** Maximum number of bytes of the value in a summary. */
    public static final int MAX_PREFIX_BYTES = 200;

    private OversizedRecords() {}

    /** Summarizes a record of any size. */
    public static Omitted of(byte[] key, byte[] value, int headerCount, long headerBytes) {
        byte[] hashed = value == null ? new byte[0] : value;
        return new Omitted(
                ByteBuffer.wrap(Sha256.of(hashed)),
                value == null ? null : value.length,
                key == null ? null : key.length,
                headerCount,
                headerBytes,
                ByteBuffer.wrap(Arrays.copyOf(hashed, Math.min(hashed.length, MAX_PREFIX_BYTES))));
    }

    /**
     * Creates the input record of an undecodable record. If a part of it exceeds its bound, a summary replaces the
     * value, and key and headers remain only within their bounds.
     *
     * @param record the record; its value is hashed only for a summary
     * @param headers its headers; empty if the enclosing record has them
     * @param limits bounds of the value
     */
    public static Inbound undecodable(
            WireRecord record, List<InboundHeader> headers, Limits limits, RecordDecodeResult.Undecodable error) {
        boolean whole = !RecordBounds.isExceeded(record, limits);
        RecordHeaders recordHeaders = record.headers();
        return new Inbound(
                record.source(),
                RecordBounds.isKeyAllowed(record) ? ByteBuffers.wrap(record.key()) : null,
                whole ? ByteBuffers.wrap(record.value()) : null,
                RecordBounds.areHeadersAllowed(recordHeaders) ? headers : List.of(),
                fault(error),
                whole ? null : of(record.key(), record.value(), recordHeaders.count(), recordHeaders.bytes()));
    }

    /** Returns a decode error as an input record contains it. */
    static InboundFault fault(RecordDecodeResult.Undecodable error) {
        return new InboundFault(
                error.code().name(), error.claims(), error.position(), error.detail(), null, error.inner());
    }

    /** Returns the summary for an audit record: without the prefix, which could be neither verified nor redacted. */
    static Omitted audited(Omitted omitted) {
        return new Omitted(
                omitted.getSha256(),
                omitted.getValueBytes(),
                omitted.getKeyBytes(),
                omitted.getHeaderCount(),
                omitted.getHeaderBytes(),
                null);
    }
}
