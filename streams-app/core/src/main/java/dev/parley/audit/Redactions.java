package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.apache.avro.Schema;

/**
 * The recorded redactions and the missing payloads that a verifier has seen. A redaction takes effect if it names the
 * chain, sequence, input position and hash of an audit record, and is the first in that chain to do so. Memory
 * grows with the number of redactions.
 */
public final class Redactions {
    /** The fields of a redacted copy: the metadata, which quote no message, and the hashes. */
    private static final Set<String> KEPT = kept();

    private final Map<Target, Redaction> recorded = new HashMap<>();
    private final Map<Target, Claim> claimed = new HashMap<>();
    private final Map<Target, AuditFault> unlocated = new HashMap<>();
    private final List<AuditFault> unfit = new ArrayList<>();
    private long events;
    private long redacted;

    /** The audit record that a redaction names. */
    private record Target(String chain, long sequence, InputPosition input, ByteBuffer recordHash) {

        static Target of(Redaction redaction) {
            return new Target(
                    redaction.getChain(),
                    redaction.getSequence(),
                    InputPosition.of(redaction.getSource()),
                    redaction.getRecordHash());
        }

        static Target of(AuditRecord auditRecord) {
            return new Target(
                    auditRecord.getChain(),
                    auditRecord.getSequence(),
                    InputPosition.of(auditRecord.getSource()),
                    auditRecord.getHash());
        }

        static Target of(CheckedRecord checked) {
            return new Target(checked.chain(), checked.sequence(), checked.input(), ByteBuffer.wrap(checked.hash()));
        }
    }

    private static Set<String> kept() {
        Set<String> kept = new HashSet<>(Set.of("hash", "contentHash", "redacted"));
        AuditRecordEncoder.METADATA.schema().getFields().forEach(field -> kept.add(field.name()));
        return Set.copyOf(kept);
    }

    /** A redacted copy whose redaction the chain has yet to record, and the fault if it does not. */
    private record Claim(Redaction because, AuditFault fault) {}

    Redactions() {}

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
     * redaction cannot be redacted.
     */
    public static boolean concerns(Redaction redaction, AuditRecord auditRecord) {
        return auditRecord.getRedaction() == null && Target.of(redaction).equals(Target.of(auditRecord));
    }

    /** Whether a record contains only the fields of a redacted copy. Only then its content cannot be verified. */
    static boolean isRedactedCopy(AuditRecord auditRecord) {
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

    /** Number of redactions that the chains record. */
    public long events() {
        return events;
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
            events++;
            if (whole && isEvent(auditRecord)) {
                record(event, auditRecord, location);
            }
        }
        Redaction because = auditRecord.getRedacted();
        if (because != null) {
            redacted++;
            AuditFault unproven = AuditFault.of(FaultCode.REDACTION_UNPROVEN, location, auditRecord);
            Redaction first = recorded.get(Target.of(because));
            if (!concerns(because, auditRecord) || (first != null && !first.equals(because))) {
                unfit.add(unproven);
            } else if (first == null) {
                claimed.put(Target.of(because), new Claim(because, unproven));
            }
        }
    }

    /** Whether a record contains an accepted redaction of an earlier record of its own chain. */
    public static boolean isEvent(AuditRecord auditRecord) {
        Redaction event = auditRecord.getRedaction();
        return event != null
                && Symbols.VERDICT.of(auditRecord.getVerdict()) == Verdict.ACCEPTED
                && auditRecord.getRedacted() == null
                && event.getChain().equals(auditRecord.getChain())
                && event.getSequence() < auditRecord.getSequence();
    }

    private void record(Redaction event, AuditRecord auditRecord, RecordLocation location) {
        Target target = Target.of(event);
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
            unlocated.remove(Target.of(auditRecord));
        }
    }

    /** {@link #locate(AuditRecord)} of a record that was checked by itself. */
    public void locate(CheckedRecord checked) {
        if (checked.auditRecord() == null || checked.auditRecord().getRedaction() == null) {
            unlocated.remove(Target.of(checked));
        }
    }

    /**
     * Drops redactions that name a sequence before the first record of their chain: those records cannot be compared.
     */
    void ignoreBefore(ToLongFunction<String> first) {
        unlocated.keySet().removeIf(target -> target.sequence < first.applyAsLong(target.chain));
    }

    /** Chains with redactions that still need the second pass. */
    public Set<String> unlocatedChains() {
        Set<String> chains = new HashSet<>();
        unlocated.keySet().forEach(target -> chains.add(target.chain));
        return chains;
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
