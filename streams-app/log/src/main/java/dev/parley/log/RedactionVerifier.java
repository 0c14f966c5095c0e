package dev.parley.log;

import dev.parley.audit.RedactionTarget;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Verifies the recorded redactions and approvals, and the redacted copies of a trail. A redaction or approval takes
 * effect if it names the chain, sequence, input position and hash of an audit record, for an approval one with a
 * changed definition, and is the first in that chain to do so. Memory grows with their number.
 */
public final class RedactionVerifier {
    private final Map<RedactionTarget, Redaction> recorded = new HashMap<>();
    private final Map<RedactionTarget, Claim> claimed = new HashMap<>();
    private final Map<RedactionTarget, AuditFault> unlocated = new HashMap<>();
    private final List<AuditFault> unfit = new ArrayList<>();
    private long events;
    private long approvals;
    private long redacted;

    /** A redacted copy whose redaction the chain has yet to record, and the fault if it does not. */
    private record Claim(Redaction because, AuditFault fault) {}

    RedactionVerifier() {}

    /** Number of redactions that the chains record. */
    public long events() {
        return events;
    }

    /** Number of approvals that the chains record. */
    public long approvals() {
        return approvals;
    }

    /** Number of records without their payload because of a redaction. */
    public long redacted() {
        return redacted;
    }

    /**
     * Adds the next record.
     *
     * @param whole whether the record's content matches its content hash; otherwise it proves no redaction
     */
    void see(AuditRecord auditRecord, RecordLocation location, boolean whole) {
        Redaction event = auditRecord.getRedaction();
        if (event != null) {
            if (event.getApproves()) {
                approvals++;
            } else {
                events++;
            }
            if (whole && Redactions.isEvent(auditRecord)) {
                record(event, auditRecord, location);
            }
        }
        Redaction because = auditRecord.getRedacted();
        if (because != null) {
            redacted++;
            AuditFault unproven = AuditFault.of(FaultCode.REDACTION_UNPROVEN, location, auditRecord);
            Redaction first = recorded.get(RedactionTarget.of(because));
            if (!Redactions.concerns(because, auditRecord) || (first != null && !first.equals(because))) {
                unfit.add(unproven);
            } else if (first == null) {
                claimed.put(RedactionTarget.of(because), new Claim(because, unproven));
            }
        }
    }

    private void record(Redaction event, AuditRecord auditRecord, RecordLocation location) {
        RedactionTarget target = RedactionTarget.of(event);
        if (recorded.putIfAbsent(target, event) != null) {
            // A later redaction of the same record has no effect.
            return;
        }
        unlocated.put(target, AuditFault.of(FaultCode.REDACTION_UNFOUNDED, location, auditRecord));
        Claim claim = claimed.remove(target);
        if (claim != null && !claim.because.equals(event)) {
            unfit.add(claim.fault);
        }
    }

    /** Whether a second pass must still compare redactions with the records that they name. */
    public boolean hasUnlocated() {
        return !unlocated.isEmpty();
    }

    /** Adds a record of the second pass. */
    public void locate(AuditRecord auditRecord) {
        if (auditRecord.getRedaction() == null) {
            unlocated.remove(RedactionTarget.of(auditRecord));
        }
        if (Redactions.isApprovable(auditRecord)) {
            unlocated.remove(RedactionTarget.of(auditRecord, true));
        }
    }

    /**
     * Drops redactions that name a sequence before the first record of their chain: those records cannot be compared.
     */
    void ignoreBefore(ToLongFunction<String> first) {
        unlocated.keySet().removeIf(target -> target.sequence() < first.applyAsLong(target.chain()));
    }

    /** Chains with redactions that still need the second pass. */
    public Set<String> unlocatedChains() {
        return unlocated.keySet().stream().map(RedactionTarget::chain).collect(Collectors.toSet());
    }

    /** The redactions whose record was missing in the second pass. */
    public List<AuditFault> unfounded() {
        return List.copyOf(unlocated.values());
    }

    List<AuditFault> unproven() {
        List<AuditFault> all = new ArrayList<>(unfit);
        claimed.values().forEach(claim -> all.add(claim.fault));
        return all;
    }
}
