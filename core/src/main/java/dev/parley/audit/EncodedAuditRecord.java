package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import java.util.Arrays;

/**
 * An audit record with its Avro binary form, in the schema of its class. The form contains that of the decoded message,
 * so that no part of the record is encoded twice.
 *
 * @param auditRecord the record, with its hashes
 * @param bytes its encoding; not to be changed
 * @param messageStart position of the message's encoding in it
 * @param messageEnd position after the message's encoding; the same as its start without a message
 */
public record EncodedAuditRecord(AuditRecord auditRecord, byte[] bytes, int messageStart, int messageEnd) {

    /** Returns the encoding of the decoded message; empty without a message. */
    public byte[] messageBytes() {
        return Arrays.copyOfRange(bytes, messageStart, messageEnd);
    }
}
