package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import java.nio.ByteBuffer;

/**
 * The audit record that a redaction or an approval names. The names differ, so that an approval removes nothing and
 * proves no redaction.
 */
public record RedactionTarget(
        String chain, long sequence, InputPosition input, ByteBuffer recordHash, boolean approval) {

    /** The record that a redaction or an approval names. */
    public static RedactionTarget of(Redaction redaction) {
        return new RedactionTarget(
                redaction.getChain(),
                redaction.getSequence(),
                InputPosition.of(redaction.getSource()),
                redaction.getRecordHash(),
                redaction.getApproves());
    }

    /** The name of a record in redactions. */
    public static RedactionTarget of(AuditRecord auditRecord) {
        return of(auditRecord, false);
    }

    /**
     * The name of a record.
     *
     * @param approval whether in approvals instead of redactions
     */
    public static RedactionTarget of(AuditRecord auditRecord, boolean approval) {
        return new RedactionTarget(
                auditRecord.getChain(),
                auditRecord.getSequence(),
                InputPosition.of(auditRecord.getSource()),
                auditRecord.getHash(),
                approval);
    }
}
