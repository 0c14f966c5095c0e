package dev.parley.log;

import dev.parley.audit.InputPartition;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Verifies an audit trail record by record: the audit chains, the logs with their heads, and that no input record
 * appears twice. Notes, heads stored elsewhere and omitted records come before all records. Memory grows with the
 * number of chains, heads and input partitions, not of records; see {@link ChainVerifier}, {@link LogVerifier} and
 * {@link InputOffsets}. Not thread-safe.
 */
public final class AuditTrailVerifier {
    private final LogNoteReader notes;
    private final List<LogNoteReader.ChainEnd> chainEnds = new ArrayList<>(0);
    private final LogVerifier logs;
    private final ChainVerifier chains;
    private final Map<InputPartition, InputOffsets> inputs = new HashMap<>();
    private long deleted;

    /**
     * Creates a verifier for an audit trail.
     *
     * @param notes reader of notes, with the trusted keys
     */
    public AuditTrailVerifier(LogNoteReader notes) {
        this.notes = notes;
        logs = new LogVerifier(notes);
        chains = new ChainVerifier(logs::omitsBetween);
    }

    /** Adds a note, in the order of publication; before all records. */
    public List<AuditFault> note(AuditHead note, RecordLocation location) {
        List<AuditFault> faults = new ArrayList<>(0);
        LogNoteReader.Note read = notes.read(note, location, faults);
        if (read instanceof LogNoteReader.ChainEnd end) {
            chainEnds.add(end);
        } else {
            logs.note(read, faults);
        }
        return faults;
    }

    /**
     * Verifies the next audit record, which was already checked by itself, against the records before it.
     *
     * @param contiguous whether only expired records may be omitted, so none between two records of a chain
     */
    public List<AuditFault> record(CheckedRecord checked, RecordLocation location, boolean contiguous) {
        List<AuditFault> faults = new ArrayList<>(chains.check(checked, location, contiguous));
        List<AuditFault> ofLog = logs.record(checked, location);
        // A repeated sequence implies a repeated input: one fault is enough.
        if (faults.stream().noneMatch(fault -> fault.code() == FaultCode.RECORD_REPEATED)) {
            faults.addAll(ofLog);
            input(checked, location, faults);
        }
        return faults;
    }

    private void input(CheckedRecord checked, RecordLocation location, List<AuditFault> faults) {
        InputPosition position = checked.input();
        AuditRecord auditRecord = checked.auditRecord();
        if (!InputOffsets.isPossible(position.offset())) {
            faults.add(AuditFault.of(
                    FaultCode.UNREADABLE,
                    location,
                    checked,
                    "the offset must be possible in a partition, but was " + position.offset()));
        } else if (auditRecord.getUnread() != null) {
            // The record accounts for expired inputs, which no chain contains.
            deleted += Math.max(0, auditRecord.getUnread());
        } else if (!inputs.computeIfAbsent(position.inputPartition(), partition -> new InputOffsets())
                .add(position.offset())) {
            faults.add(
                    AuditFault.of(FaultCode.INPUT_REPEATED, location, checked, position + " has another audit record"));
        }
    }

    /**
     * Verifies the ends of the logs and the redactions after all records.
     *
     * @param whole whether omitted records are a fault unless they are accepted as expired
     * @param uncoveredAllowed number of the last records of a log, by partition, that need no head yet
     * @return the faults found
     */
    public List<AuditFault> finish(boolean whole, Map<Integer, Long> uncoveredAllowed) {
        List<AuditFault> faults = new ArrayList<>(chains.finish());
        faults.addAll(logs.finish(whole, uncoveredAllowed));
        chainEnds.forEach(end -> compare(end, faults));
        notes.ignored().ifPresent(faults::add);
        return faults;
    }

    private void compare(LogNoteReader.ChainEnd end, List<AuditFault> faults) {
        Optional<ChainState> chain = chains.chain(end.chain());
        long last = chain.map(ChainState::last).orElse(-1L);
        long logSize = logs.size(end.partition());
        String cut = "";
        if (last != end.sequence() || !chain.get().hash().equals(ByteBuffer.wrap(end.hash()))) {
            cut = "the chain was signed to end with sequence " + end.sequence() + " and another hash or sequence"
                    + " than here";
        } else if (end.logSize() < logSize) {
            cut = "the statement of its end is of the first " + end.logSize() + " records of the log of partition "
                    + end.partition() + ", which has " + logSize
                    + ": it does not prove that the chain has no later records";
        }
        if (!cut.isEmpty()) {
            faults.add(new AuditFault(FaultCode.CHAIN_CUT, end.location(), end.chain(), last, cut));
        }
    }

    /** Whether a statement says that the last record of a chain is its end. */
    public boolean provesEnd(String chain) {
        return chainEnds.stream().anyMatch(end -> end.chain().equals(chain));
    }

    /** The logs, which take cosigned and stored heads, and omitted records. */
    public LogVerifier logs() {
        return logs;
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

    /** Number of chains without their first record. */
    public long begunLate() {
        return chains.all().stream().filter(state -> state.first() > 0).count();
    }
}
