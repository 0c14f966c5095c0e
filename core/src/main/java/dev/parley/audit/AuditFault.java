package dev.parley.audit;

/**
 * A fault in an audit trail.
 *
 * @param code kind of the fault
 * @param place location of the fault
 * @param chain the affected chain; empty if there is none
 * @param sequence sequence of the affected record in the chain; -1 if there is none
 * @param detail a sentence
 */
public record AuditFault(FaultCode code, RecordLocation place, String chain, long sequence, String detail) {

    static AuditFault of(FaultCode code, RecordLocation recordLocation, String chain, long sequence) {
        return new AuditFault(code, recordLocation, chain, sequence, code.meaning());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(code.name());
        if (!place.equals(RecordLocation.NONE)) {
            text.append(" at ").append(place);
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
