package dev.parley.decode;

import dev.parley.avro.Claims;
import dev.parley.avro.Protocol;
import dev.parley.codec.RecordHeaders;
import java.nio.charset.StandardCharsets;

/** Reads what an undecodable record claims to be. Called for failures only. */
final class ClaimsReader {
    private ClaimsReader() {}

    /**
     * Reads the claims of a record whose headers are within their bounds. As in an accepted message, the names in the
     * value take precedence.
     *
     * @param protocol the attempted protocol; null without one
     * @param value its value; null if it is absent or too large to be read
     * @param diagnosis finds the names in the value
     */
    static Claims claims(WireRecord record, WireProtocol<?> protocol, byte[] value, Diagnosis diagnosis) {
        RecordHeaders headers = record.headers();
        ClaimedNames names =
                protocol == null || value == null ? ClaimedNames.NONE : diagnosis.claimedNames(protocol, value);
        byte[] namespace = headers.last(RecordHeaders.NAMESPACE);
        return new Claims(
                protocol == null ? Protocol.UNKNOWN.name() : protocol.name(),
                namespace == null || namespace.length == 0 ? RecordHeaders.DEFAULT_NAMESPACE : name(namespace),
                first(names.conversation(), name(headers.last(RecordHeaders.CONVERSATION)), name(record.key())),
                first(names.sender(), name(headers.last(RecordHeaders.SENDER)), names.senderHint()));
    }

    /** Returns the first name that is allowed; null without one. */
    private static String first(String... names) {
        for (String name : names) {
            if (name != null && !name.isEmpty() && Identifiers.isAllowed(name)) {
                return name;
            }
        }
        return null;
    }

    private static String name(byte[] value) {
        return value == null || !Identifiers.isAllowed(value) ? null : new String(value, StandardCharsets.UTF_8);
    }
}
