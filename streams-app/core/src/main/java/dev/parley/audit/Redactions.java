package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Symbols;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;

/** Redacted copies of audit records, and the redactions and approvals that name them. */
public final class Redactions {
    /** The fields of a redacted copy: the metadata, which quote no message, and the hashes. */
    private static final Set<String> KEPT = kept();

    private Redactions() {}

    private static Set<String> kept() {
        Set<String> kept = new HashSet<>(Set.of("hash", "contentHash", "redacted"));
        AuditRecordEncoder.METADATA.schema().getFields().forEach(field -> kept.add(field.name()));
        return Set.copyOf(kept);
    }

    /**
     * Copies an audit record without its payload and decoded content.
     *
     * @param auditRecord an audit record; not changed
     */
    public static AuditRecord redact(AuditRecord auditRecord, Redaction because) {
        AuditRecord copy = new AuditRecord();
        for (Schema.Field field : auditRecord.getSchema().getFields()) {
            if (KEPT.contains(field.name())) {
                copy.put(field.pos(), auditRecord.get(field.pos()));
            }
        }
        copy.setInnerMessages(List.of());
        copy.setRedacted(because);
        return copy;
    }

    /**
     * Whether a redaction names this record by chain, sequence, input position and hash. The record of a
     * redaction or approval cannot be redacted.
     */
    public static boolean concerns(Redaction redaction, AuditRecord auditRecord) {
        return auditRecord.getRedaction() == null
                && RedactionTarget.of(redaction).equals(RedactionTarget.of(auditRecord));
    }

    /** Whether a record declares a definition that has changed, which an operator can approve. */
    public static boolean isApprovable(AuditRecord auditRecord) {
        return auditRecord.getWarnings().contains(Code.MCP_DEFINITION_CHANGED.name());
    }

    /** Whether an approval names this record, as {@link #concerns}, and the record can be approved. */
    public static boolean approves(Redaction approval, AuditRecord auditRecord) {
        return isApprovable(auditRecord) && RedactionTarget.of(approval).equals(RedactionTarget.of(auditRecord, true));
    }

    /** Whether a record contains only the fields of a redacted copy. Only then its content cannot be verified. */
    public static boolean isRedactedCopy(AuditRecord auditRecord) {
        return auditRecord.getRedacted() != null && isMetadataOnly(auditRecord);
    }

    /** Whether a record has no content, so that it proves only its metadata. */
    public static boolean isMetadataOnly(AuditRecord auditRecord) {
        for (Schema.Field field : auditRecord.getSchema().getFields()) {
            Object value = auditRecord.get(field.pos());
            if (!KEPT.contains(field.name()) && value != null && !List.of().equals(value)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a record contains an accepted redaction or approval of an earlier record of its own chain. */
    public static boolean isEvent(AuditRecord auditRecord) {
        Redaction event = auditRecord.getRedaction();
        return event != null
                && Symbols.VERDICT.of(auditRecord.getVerdict()) == Verdict.ACCEPTED
                && auditRecord.getRedacted() == null
                && event.getChain().equals(auditRecord.getChain())
                && event.getSequence() < auditRecord.getSequence();
    }
}
