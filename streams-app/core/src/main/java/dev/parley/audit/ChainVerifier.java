package dev.parley.audit;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
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
    private final RecordVerifier alone = new RecordVerifier();
    private final Map<String, ChainState> chains = new HashMap<>();
    private final Redactions redactions = new Redactions();
    private final Extent extent;
    private final List<AuditFault> found = new ArrayList<>(2);
    private ChainState current;
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
        return check(alone.check(auditRecord), location);
    }

    /**
     * Verifies the next audit record, which was already checked by itself, against the records before it.
     *
     * @param checked the next record of any chain; those of one chain in order
     * @return the faults of the record, those by itself included; empty if it is correct
     */
    public List<AuditFault> check(CheckedRecord checked, RecordLocation location) {
        found.clear();
        records++;
        String name = checked.chain();
        ChainState state = chains.get(name);
        if (state == null) {
            state = new ChainState(name);
            chains.put(name, state);
        }
        current = state;
        if (!state.started() && checked.sequence() > 0 && extent.mayBeginLate(location)) {
            state.beginAt(checked);
        }
        FaultCode order = state.next(checked, location);
        if (order != null) {
            String detail = order == FaultCode.RECORD_MISSING
                    ? "expected sequence " + state.expected() + " here, so " + (checked.sequence() - state.expected())
                            + " are missing before it"
                    : order.meaning();
            found.add(new AuditFault(order, location, name, checked.sequence(), detail));
        }
        for (FaultCode code : checked.faults()) {
            found.add(AuditFault.of(code, location, checked));
        }
        elsewhere += checked.payloadElsewhere() ? 1 : 0;
        compare(state, location);
        if (checked.auditRecord() != null) {
            redactions.see(checked.auditRecord(), location, checked.whole());
        }
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

    /** The chain of the last record. */
    ChainState current() {
        return current;
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
}
