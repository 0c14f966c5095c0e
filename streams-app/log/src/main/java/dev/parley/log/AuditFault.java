package dev.parley.log;

import dev.parley.avro.AuditRecord;

/**
 * A fault in an audit trail.
 *
 * @param code kind of the fault
 * @param chain the affected chain; empty if there is none
 * @param sequence sequence of the affected record in the chain; -1 if there is none
 * @param detail a sentence
 */
public record AuditFault(FaultCode code, RecordLocation location, String chain, long sequence, String detail) {

    public static AuditFault of(FaultCode code, RecordLocation location, AuditRecord auditRecord) {
        return new AuditFault(code, location, auditRecord.getChain(), auditRecord.getSequence(), code.meaning());
    }

    static AuditFault of(FaultCode code, RecordLocation location, CheckedRecord checked, String detail) {
        return new AuditFault(code, location, checked.chain(), checked.sequence(), detail);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(code.name());
        if (!location.equals(RecordLocation.NONE)) {
            text.append(" at ").append(location);
        }
        if (!chain.isEmpty()) {
            text.append(", chain ").append(chain);
        }
        if (sequence >= 0) {
            text.append(", sequence ").append(sequence);
        }
        return text.append(": ").append(detail).toString();
    }
}
