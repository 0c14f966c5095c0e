package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import java.nio.ByteBuffer;

/** The audit record that a redaction names. */
public record RedactionTarget(String chain, long sequence, InputPosition input, ByteBuffer recordHash) {

    /** The record that a redaction names. */
    public static RedactionTarget of(Redaction redaction) {
        return new RedactionTarget(
                redaction.getChain(),
                redaction.getSequence(),
                InputPosition.of(redaction.getSource()),
                redaction.getRecordHash());
    }

    /** The name of a record. */
    public static RedactionTarget of(AuditRecord auditRecord) {
        return new RedactionTarget(
                auditRecord.getChain(),
                auditRecord.getSequence(),
                InputPosition.of(auditRecord.getSource()),
                auditRecord.getHash());
    }
}
