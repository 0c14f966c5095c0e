package dev.parley.log;

import dev.parley.avro.AuditRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Verifies audit records of any number of chains as they arrive. It checks that sequences have no gaps, that each
 * record contains the hash of the previous one, that payload, content and hash match, and that every verdict except
 * ACCEPTED has a deciding code. Keeps one {@link ChainState} per chain, and one entry per fault and per redaction. Not
 * thread-safe.
 */
public final class ChainVerifier {
    private final RecordVerifier alone = new RecordVerifier();
    private final Map<String, ChainState> chains = new HashMap<>();
    private final RedactionVerifier redactions = new RedactionVerifier();
    private final Omissions omissions;
    private final List<AuditFault> found = new ArrayList<>(2);
    private long records;
    private long elsewhere;

    /** Knows which records of the logs a verifier does not see. */
    @FunctionalInterface
    interface Omissions {
        /** Whether records of the log of a partition between two indexes, both exclusive, are omitted. */
        boolean between(int partition, long after, long before);
    }

    /** Creates a verifier for the whole audit trail. */
    public ChainVerifier() {
        this((partition, after, before) -> false);
    }

    /** Creates a verifier for a part of the audit trail. */
    ChainVerifier(Omissions omissions) {
        this.omissions = omissions;
    }

    /**
     * Verifies the next audit record.
     *
     * @param auditRecord the next record of any chain; those of one chain in order
     * @return the faults of the record; empty if it is correct
     */
    public List<AuditFault> check(AuditRecord auditRecord) {
        return check(alone.check(auditRecord), RecordLocation.NONE, false);
    }

    /**
     * Verifies the next audit record, which was already checked by itself, against the records before it.
     *
     * @param checked the next record of any chain; those of one chain in order
     * @param contiguous whether no record between the previous one of the chain and this one may be omitted
     * @return the faults of the record, those by itself included; empty if it is correct
     */
    List<AuditFault> check(CheckedRecord checked, RecordLocation location, boolean contiguous) {
        found.clear();
        records++;
        ChainState state = chains.computeIfAbsent(checked.chain(), ChainState::new);
        if (checked.sequence() > state.last() + 1
                && omissions.between(
                        checked.log().getPartition(),
                        state.logIndex(),
                        checked.log().getIndex())) {
            if (contiguous && state.logIndex() >= 0) {
                found.add(AuditFault.of(
                        FaultCode.LOG_OMITTED,
                        location,
                        checked,
                        "only hashes stand for sequence " + (state.last() + 1) + " to " + (checked.sequence() - 1)
                                + ", between index " + state.logIndex() + " and "
                                + checked.log().getIndex() + " of the log of partition "
                                + checked.log().getPartition()
                                + ". They have not expired: the chain has an older record"));
            }
            state.skipTo(checked);
        }
        long expected = state.last() + 1;
        FaultCode order = state.next(checked);
        if (order != null) {
            String detail = order == FaultCode.RECORD_MISSING
                    ? "expected sequence " + expected + " here, so " + (checked.sequence() - expected)
                            + " are missing before it"
                    : order.meaning();
            found.add(AuditFault.of(order, location, checked, detail));
        }
        checked.faults().forEach(code -> found.add(AuditFault.of(code, location, checked, code.meaning())));
        elsewhere += checked.payloadElsewhere() ? 1 : 0;
        redactions.see(checked.auditRecord(), location, checked.whole());
        return List.copyOf(found);
    }

    /**
     * Verifies the redactions after all records.
     *
     * @return the faults found
     */
    public List<AuditFault> finish() {
        return redactions.unproven();
    }

    /**
     * Redactions that name no audit record. Call this after {@link RedactionVerifier#locate} has seen all records
     * again.
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

    /** Number of records whose payload exceeds the maximum message size, so that only the input topic contains it. */
    public long payloadsElsewhere() {
        return elsewhere;
    }

    public RedactionVerifier redactions() {
        return redactions;
    }

    /** Number of chains seen. */
    public int chains() {
        return chains.size();
    }

    /** A chain with records. */
    public Optional<ChainState> chain(String name) {
        return Optional.ofNullable(chains.get(name));
    }

    /** All chains seen, in no particular order. */
    public Collection<ChainState> all() {
        return List.copyOf(chains.values());
    }
}
