package dev.parley.decode;

import dev.parley.avro.Claims;
import dev.parley.avro.Protocol;
import dev.parley.codec.Utf8;
import java.nio.charset.StandardCharsets;

/** Reads what an undecodable record claims to be. Called for failures only. */
final class ClaimsReader {
    private ClaimsReader() {}

    /**
     * Reads the claims of a record whose key and headers are within their bounds.
     *
     * @param protocol the attempted protocol; null without one
     */
    static Claims claims(WireRecord record, WireProtocol<?> protocol) {
        RecordHeaders headers = record.headers();
        byte[] namespace = headers.last(RecordHeaders.NAMESPACE);
        String conversation = name(headers.last(RecordHeaders.CONVERSATION));
        return new Claims(
                protocol == null ? Protocol.UNKNOWN.name() : protocol.name(),
                namespace == null || namespace.length == 0 ? RecordHeaders.DEFAULT_NAMESPACE : name(namespace),
                conversation == null ? name(record.key()) : conversation,
                name(headers.last(RecordHeaders.SENDER)));
    }

    /** Returns the text of a name; null if it is absent, empty or invalid. */
    private static String name(byte[] value) {
        return value == null || value.length == 0 || isBad(value) ? null : new String(value, StandardCharsets.UTF_8);
    }

    /** Whether the bytes cannot be a name. */
    static boolean isBad(byte[] value) {
        return value.length > MessageDecoder.MAX_IDENTIFIER_BYTES || Utf8.firstInvalid(value, 0, value.length) >= 0;
    }
}
