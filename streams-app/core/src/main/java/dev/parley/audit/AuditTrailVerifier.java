package dev.parley.audit;

import dev.parley.audit.ChainVerifier.Extent;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Verifies an audit trail record by record: the audit chains, that no input record appears twice, the chain heads and
 * their signatures. Memory grows with the number of chains and input partitions, not of records; see {@link
 * ChainVerifier} and {@link InputOffsets}. Not thread-safe.
 */
public final class AuditTrailVerifier {
    private final RecordVerifier alone = new RecordVerifier();
    private final ChainVerifier chains;
    private final HeadSignatureVerifier keys;
    private final Journals journals;
    private final Extent extent;
    private final Map<InputPartition, InputOffsets> inputs = new HashMap<>();
    private InputPartition lastInput;
    private InputOffsets lastOffsets;
    private long signed;
    private long begunLate;
    private long deleted;

    /**
     * Creates a verifier for an audit trail.
     *
     * @param extent the part of the trail to verify
     * @param keys the public keys of trusted head signers
     */
    public AuditTrailVerifier(Extent extent, HeadSignatureVerifier keys) {
        this.chains = new ChainVerifier(extent);
        this.journals = new Journals(extent, keys);
        this.extent = extent;
        this.keys = keys;
    }

    /** Verifies the next audit record. */
    public List<AuditFault> record(AuditRecord auditRecord, RecordLocation location) {
        return record(alone.check(auditRecord), location);
    }

    /** Verifies the next audit record, which was already checked by itself, against the records before it. */
    public List<AuditFault> record(CheckedRecord checked, RecordLocation location) {
        List<AuditFault> faults = chains.check(checked, location);
        for (AuditFault fault : faults) {
            if (fault.code() == FaultCode.RECORD_REPEATED) {
                // A repeated sequence implies a repeated input: one fault is enough.
                return faults;
            }
        }
        List<AuditFault> more = journal(checked, location);
        return more.isEmpty() ? input(checked, location, faults) : input(checked, location, with(faults, more));
    }

    private List<AuditFault> journal(CheckedRecord checked, RecordLocation location) {
        if (journals.covers(checked.journal())) {
            chains.current().requireHead(checked.sequence());
        }
        return journals.record(checked, location);
    }

    private List<AuditFault> input(CheckedRecord checked, RecordLocation location, List<AuditFault> faults) {
        InputPosition position = checked.input();
        if (!InputOffsets.isPossible(position.offset())) {
            return with(
                    faults,
                    AuditFault.of(
                            FaultCode.UNREADABLE,
                            location,
                            checked,
                            "the offset must be possible in a partition, but was " + position.offset()));
        }
        AuditRecord auditRecord = checked.auditRecord();
        if (auditRecord != null && auditRecord.getUnread() != null) {
            // The record accounts for expired inputs, which no chain contains.
            deleted += Math.max(0, auditRecord.getUnread());
            return faults;
        }
        return offsets(position).add(position.offset())
                ? faults
                : with(
                        faults,
                        AuditFault.of(
                                FaultCode.INPUT_REPEATED, location, checked, position + " has another audit record"));
    }

    /** The recorded offsets of a partition, which is usually that of the last record. */
    private InputOffsets offsets(InputPosition position) {
        if (lastInput == null
                || lastInput.partition() != position.partition()
                || !lastInput.topic().equals(position.topic())) {
            lastInput = position.inputPartition();
            lastOffsets = inputs.computeIfAbsent(lastInput, partition -> new InputOffsets());
        }
        return lastOffsets;
    }

    /**
     * Verifies a published chain head, either before the records of its chain or directly after the record that it
     * names.
     */
    public List<AuditFault> head(AuditHead head, RecordLocation location) {
        Optional<AuditFault> fault = keys.check(head, location);
        if (fault.isPresent() && fault.get().code() == FaultCode.HEAD_FORGED) {
            // An unsigned head proves nothing.
            return List.of(fault.get());
        }
        boolean counts = keys.isEmpty() ? head.getSignature() != null : fault.isEmpty();
        signed += counts ? 1 : 0;
        List<AuditFault> faults = chains.head(head, location);
        if (fault.isEmpty()) {
            chains.proven(head);
        }
        return fault.isPresent() ? with(faults, fault.get()) : faults;
    }

    /** Adds a stored manifest that the trail must continue; before any published manifest. */
    public List<AuditFault> stored(AuditManifest manifest, RecordLocation location) {
        return journals.stored(manifest, location);
    }

    /** Verifies the next published manifest of any journal; before all records. */
    public List<AuditFault> manifest(AuditManifest manifest, RecordLocation location) {
        return journals.manifest(manifest, location);
    }

    public Journals journals() {
        return journals;
    }

    /**
     * Verifies the ends of the chains after all records.
     *
     * @return the faults found
     */
    public List<AuditFault> finish() {
        begunLate = chains.all().stream().filter(state -> state.first() > 0).count();
        List<AuditFault> faults = with(chains.finish(), journals.finish());
        return keys.isEmpty() || extent.mayEndEarly() ? faults : with(faults, chainsWithoutHead());
    }

    private List<AuditFault> chainsWithoutHead() {
        return chains.all().stream()
                .filter(ChainState::lacksHead)
                .map(state -> new AuditFault(
                        FaultCode.HEAD_MISSING,
                        state.location(),
                        state.name(),
                        state.last(),
                        state.provenHead() < 0
                                ? "the chain has no valid published head"
                                : "the valid published head is at sequence " + state.provenHead()
                                        + ", but later records require one"))
                .toList();
    }

    /** The recorded input offsets by input partition. */
    public Map<InputPartition, InputOffsets> inputs() {
        return Collections.unmodifiableMap(inputs);
    }

    /** Number of input offsets that the chains record as deleted before they were read. */
    public long deleted() {
        return deleted;
    }

    public ChainVerifier chains() {
        return chains;
    }

    /** Number of chain heads with a valid signature by a given key; without keys, of those with any signature. */
    public long signedHeads() {
        return signed;
    }

    /** Number of chains without their first record; known after {@link #finish}. */
    public long begunLate() {
        return begunLate;
    }

    private static List<AuditFault> with(List<AuditFault> faults, List<AuditFault> more) {
        List<AuditFault> all = new ArrayList<>(faults);
        all.addAll(more);
        return List.copyOf(all);
    }

    private static List<AuditFault> with(List<AuditFault> faults, AuditFault more) {
        return with(faults, List.of(more));
    }
}
