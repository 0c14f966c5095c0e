package dev.parley.audit;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Verifies audit records of any number of chains as they arrive. It checks that sequences have no gaps, that each
 * record contains the hash of the previous one, that payload, content and hash match, that every verdict except
 * ACCEPTED has a deciding code, and that the chain heads match. Keeps one {@link ChainState} per chain, and one entry
 * per fault and per redaction. Not thread-safe.
 */
public final class ChainVerifier {
    private final AuditChain hashes = new AuditChain();
    private final Map<String, ChainState> chains = new HashMap<>();
    private final Redactions redactions = new Redactions();
    private final Extent extent;
    private final List<AuditFault> found = new ArrayList<>(2);
    private long records;
    private long heads;
    private long elsewhere;

    /** The part of the audit trail that a verifier reads. */
    public interface Extent {
        /** The whole audit trail. */
        Extent WHOLE = new Extent() {
            @Override
            public boolean mayBeginLate(RecordLocation location) {
                return false;
            }

            @Override
            public boolean mayEndEarly() {
                return false;
            }
        };

        /**
         * Whether a chain may start at this location with a sequence other than 0, because earlier records expired or
         * were not selected.
         */
        boolean mayBeginLate(RecordLocation location);

        /** Whether chains may end before their chain heads. */
        boolean mayEndEarly();

        /** Whether the records of all chains are present, so that journals can be recomputed. */
        default boolean hasWholeJournals() {
            return !mayEndEarly();
        }
    }

    /** Creates a verifier for the whole audit trail. */
    public ChainVerifier() {
        this(Extent.WHOLE);
    }

    /** Creates a verifier for a part of the audit trail. */
    public ChainVerifier(Extent extent) {
        this.extent = extent;
    }

    /** {@link #check(AuditRecord, RecordLocation)} of a record without a location. */
    public List<AuditFault> check(AuditRecord auditRecord) {
        return check(auditRecord, RecordLocation.NONE);
    }

    /**
     * Verifies the next audit record.
     *
     * @param auditRecord the next record of any chain; those of one chain in order
     * @return the faults of the record; empty if it is correct
     */
    public List<AuditFault> check(AuditRecord auditRecord, RecordLocation location) {
        found.clear();
        records++;
        String name = auditRecord.getChain();
        ChainState state = chains.computeIfAbsent(name, ChainState::new);
        if (!state.started() && auditRecord.getSequence() > 0 && extent.mayBeginLate(location)) {
            state.beginAt(auditRecord);
        }
        FaultCode order = state.next(auditRecord, location);
        if (order != null) {
            String detail = order == FaultCode.RECORD_MISSING
                    ? "expected sequence " + state.expected() + " here, so "
                            + (auditRecord.getSequence() - state.expected()) + " are missing before it"
                    : order.meaning();
            found.add(new AuditFault(order, location, name, auditRecord.getSequence(), detail));
        }
        boolean whole = checkAlone(auditRecord, location);
        compare(state, location);
        redactions.see(auditRecord, location, whole);
        return List.copyOf(found);
    }

    /**
     * Verifies a published chain head, either before the records of its chain or directly after the record that it
     * names.
     *
     * @return the faults of the head against the records so far
     */
    public List<AuditFault> head(AuditHead head, RecordLocation location) {
        found.clear();
        heads++;
        ChainState state = chains.computeIfAbsent(head.getChain(), ChainState::new);
        if (head.getSequence() < state.last()) {
            found.add(AuditFault.of(FaultCode.HEAD_MOVED, location, head));
        } else {
            state.expect(head, location);
            compare(state, location);
        }
        return List.copyOf(found);
    }

    /** Notes that the signature of a chain head is valid. */
    void proven(AuditHead head) {
        chains.computeIfAbsent(head.getChain(), ChainState::new).proven(head);
    }

    /**
     * Verifies the ends of the chains after all records.
     *
     * @return the faults found
     */
    public List<AuditFault> finish() {
        found.clear();
        for (ChainState state : chains.values()) {
            if (state.awaitsHead() && !extent.mayEndEarly()) {
                if (!state.started()) {
                    if (!extent.mayBeginLate(RecordLocation.NONE)) {
                        found.add(AuditFault.of(
                                FaultCode.CHAIN_MISSING, state.headLocation(), state.name(), state.headSequence()));
                    }
                } else {
                    found.add(new AuditFault(
                            FaultCode.TAIL_CUT,
                            state.location(),
                            state.name(),
                            state.last(),
                            "the chain ends here, but its head was published at sequence " + state.headSequence()));
                }
            }
        }
        if (!extent.mayEndEarly()) {
            redactions.unproven().forEach(found::add);
        }
        return List.copyOf(found);
    }

    /**
     * Redactions that name no audit record; call this after {@link Redactions#locate} has seen all records again.
     *
     * @return notices
     */
    public List<AuditFault> unfounded() {
        // Only a record of its own chain contains a redaction, so each of these chains has a state.
        redactions.ignoreBefore(name -> chains.get(name).first());
        return redactions.unfounded();
    }

    public long records() {
        return records;
    }

    public long heads() {
        return heads;
    }

    /** Number of records whose payload exceeds the maximum message size, so that only the input topic contains it. */
    public long payloadsElsewhere() {
        return elsewhere;
    }

    public Redactions redactions() {
        return redactions;
    }

    /** Number of chains seen. */
    public int chains() {
        return (int) chains.values().stream().filter(ChainState::started).count();
    }

    /** A chain with records. */
    public Optional<ChainState> chain(String name) {
        return Optional.ofNullable(chains.get(name)).filter(ChainState::started);
    }

    /** All chains seen, including those with only a chain head, in no particular order. */
    public Collection<ChainState> all() {
        return List.copyOf(chains.values());
    }

    private void compare(ChainState state, RecordLocation location) {
        if (state.isAtHead()) {
            if (!state.meetsHead()) {
                found.add(AuditFault.of(FaultCode.HEAD_MISMATCH, location, state.name(), state.headSequence()));
            }
            state.passHead();
        }
    }

    /** Verifies one record by itself: its payload, content hash and hash, and its verdict. */
    private boolean checkAlone(AuditRecord auditRecord, RecordLocation location) {
        ByteBuffer raw =
                auditRecord.getMessage() != null ? auditRecord.getMessage().getRaw() : auditRecord.getRaw();
        boolean redacted = Redactions.isRedactedCopy(auditRecord);
        boolean payloadChanged = raw != null && !hashes.payloadHash(raw).equals(auditRecord.getPayloadHash());
        if (payloadChanged) {
            add(FaultCode.PAYLOAD_CHANGED, auditRecord, location);
        } else if (raw == null && !redacted && !hasNone(auditRecord)) {
            if (auditRecord.getVerdict() == Verdict.UNDECODABLE) {
                // Larger than the maximum message size; only the input topic contains it.
                elsewhere++;
            } else {
                add(FaultCode.PAYLOAD_MISSING, auditRecord, location);
            }
        }
        if (auditRecord.getOmitted() != null
                && !auditRecord.getOmitted().getSha256().equals(auditRecord.getPayloadHash())) {
            add(FaultCode.PAYLOAD_CHANGED, auditRecord, location);
        }
        // The content includes the payload, whose change is already reported.
        boolean whole = !redacted && !payloadChanged && auditRecord.getContentHash() != null;
        if (whole && !AuditChain.isContentVersionKnown(auditRecord)) {
            add(FaultCode.CONTENT_VERSION_UNKNOWN, auditRecord, location);
            whole = false;
        } else if (whole && !hashes.contentHash(auditRecord).equals(auditRecord.getContentHash())) {
            add(FaultCode.CONTENT_CHANGED, auditRecord, location);
            whole = false;
        }
        if (auditRecord.getContentHash() == null && auditRecord.getRedacted() != null && !redacted) {
            // Records of version 0.1.0 have no content hash, so only this shows that the copy was rewritten.
            add(FaultCode.CONTENT_CHANGED, auditRecord, location);
        }
        if (!hashes.hash(auditRecord).equals(auditRecord.getHash())) {
            add(FaultCode.RECORD_CHANGED, auditRecord, location);
        } else if ((auditRecord.getVerdict() == Verdict.ACCEPTED) != (auditRecord.getCode() == null)) {
            // The hash covers codes and warnings as one list, so only the verdict shows whether the first code is the
            // deciding one.
            add(FaultCode.VERDICT_CHANGED, auditRecord, location);
        } else {
            return whole;
        }
        return false;
    }

    /** Whether the input record had no value. */
    private boolean hasNone(AuditRecord auditRecord) {
        return hashes.payloadHash(ByteBuffer.allocate(0)).equals(auditRecord.getPayloadHash());
    }

    private void add(FaultCode code, AuditRecord auditRecord, RecordLocation location) {
        found.add(AuditFault.of(code, location, auditRecord));
    }
}
