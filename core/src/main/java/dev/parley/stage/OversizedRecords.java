package dev.parley.stage;

import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Omitted;
import dev.parley.codec.Limits;
import dev.parley.decode.RecordBounds;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/**
 * Summaries of records that are too large to be carried: what travels, is stored and is dead-lettered instead of their
 * value.
 */
public final class Omissions {
    /** Maximum number of bytes of the value that a summary has. */
    public static final int MAX_PREFIX_BYTES = 200;

    private Omissions() {}

    private static Omitted of(WireRecord record) {
        return of(
                record.key(),
                record.value(),
                record.headers().count(),
                record.headers().bytes());
    }

    /** Summarizes a record, whatever its size. */
    public static Omitted of(byte[] key, byte[] value, int headerCount, long headerBytes) {
        byte[] hashed = value == null ? new byte[0] : value;
        return new Omitted(
                ByteBuffer.wrap(sha256().digest(hashed)),
                value == null ? null : value.length,
                key == null ? null : key.length,
                headerCount,
                headerBytes,
                ByteBuffer.wrap(Arrays.copyOf(hashed, Math.min(hashed.length, MAX_PREFIX_BYTES))));
    }

    /**
     * An input record that cannot be decoded, as it travels. If a part of it exceeds its bound, a summary replaces the
     * value, and key and headers remain only within their bounds.
     *
     * @param record the record; its value is hashed only for a summary
     * @param headers its headers, or none where the record that carries it has them
     * @param limits bounds the value
     * @param fault why it cannot be decoded
     */
    public static Inbound faulty(
            WireRecord record, List<InboundHeader> headers, Limits limits, RecordDecodeResult.Undecodable fault) {
        boolean whole = !RecordBounds.isExceeded(record, limits);
        return new Inbound(
                record.source(),
                RecordBounds.isKeyAllowed(record) ? Bytes.wrap(record.key()) : null,
                whole ? Bytes.wrap(record.value()) : null,
                RecordBounds.areHeadersAllowed(record.headers()) ? headers : List.of(),
                new InboundFault(
                        fault.code().name(),
                        fault.protocol(),
                        fault.namespace(),
                        fault.position(),
                        fault.detail(),
                        null),
                whole ? null : of(record));
    }

    /** The summary as an audit record has it: without the prefix, which could neither be verified nor redacted. */
    static Omitted audited(Omitted omitted) {
        return new Omitted(
                omitted.getSha256(),
                omitted.getValueBytes(),
                omitted.getKeyBytes(),
                omitted.getHeaderCount(),
                omitted.getHeaderBytes(),
                null);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
