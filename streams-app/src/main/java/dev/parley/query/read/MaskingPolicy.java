package dev.parley.query.read;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;

/**
 * Which bodies the API does not show to readers. The audit topic has them whatever this says: a redaction is about who
 * reads, not about what is kept.
 */
public interface MaskingPolicy {

    /** Shows everything. */
    MaskingPolicy NONE = new MaskingPolicy() {
        @Override
        public boolean hides(AuditRecord record) {
            return false;
        }

        @Override
        public boolean hidesRule(AuditRecord record) {
            return false;
        }

        @Override
        public boolean hides(DeadLetterSummary deadLetter) {
            return false;
        }
    };

    /** Hides what agents marked as private or encrypted, and what may be so. */
    MaskingPolicy PRIVATE = new PrivateMessages();

    /** Whether the body of this message is hidden, and with it every sentence that may quote it. */
    boolean hides(AuditRecord record);

    /** Whether the citation of the rule that decided is hidden, because it may quote this message or one before it. */
    boolean hidesRule(AuditRecord record);

    /** Whether the first bytes of this dead letter are hidden, and with them every sentence that may quote it. */
    boolean hides(DeadLetterSummary deadLetter);
}
