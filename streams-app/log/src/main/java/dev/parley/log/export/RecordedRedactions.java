package dev.parley.log.export;

import dev.parley.audit.RedactionTarget;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Redaction;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The redactions that chains record, by target; the first in a chain counts. A record of the redaction topic is only a
 * request: deleting it restores nothing, because the audit trail decides. Memory grows with the number of redactions.
 */
public final class RecordedRedactions {
    private final Map<RedactionTarget, Recorded> byTarget = new HashMap<>();

    /**
     * A redaction.
     *
     * @param position position of the record that contains it in the log
     */
    public record Recorded(Redaction redaction, LogPosition position) {}

    /** Adds the next record of any chain; those of one chain in order. */
    public void add(AuditRecord auditRecord) {
        if (Redactions.isEvent(auditRecord) && !auditRecord.getRedaction().getApproves()) {
            byTarget.putIfAbsent(
                    RedactionTarget.of(auditRecord.getRedaction()),
                    new Recorded(auditRecord.getRedaction(), auditRecord.getLog()));
        }
    }

    /** Whether no redaction was added. */
    public boolean isEmpty() {
        return byTarget.isEmpty();
    }

    /** The redaction of a record; empty if it is not redacted. */
    public Optional<Recorded> of(AuditRecord auditRecord) {
        return auditRecord.getRedaction() != null || isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(byTarget.get(RedactionTarget.of(auditRecord)));
    }

    /** The record, or its redacted copy if it is redacted. */
    public AuditRecord redacted(AuditRecord auditRecord) {
        return of(auditRecord)
                .map(recorded -> Redactions.redact(auditRecord, recorded.redaction()))
                .orElse(auditRecord);
    }
}
