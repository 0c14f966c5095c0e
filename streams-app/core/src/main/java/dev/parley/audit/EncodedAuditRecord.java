package dev.parley.audit;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.encoding.EncodedRecord;
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

    /** Returns the record for its topic. */
    public EncodedRecord<AuditRecord> encoded() {
        return new EncodedRecord<>(auditRecord, bytes);
    }

    /** Returns its decoded message for the message topic; call it only for a record with a message. */
    public EncodedRecord<AgentMessage> encodedMessage() {
        return new EncodedRecord<>(auditRecord.getMessage(), Arrays.copyOfRange(bytes, messageStart, messageEnd));
    }
}
