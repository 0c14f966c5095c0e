package dev.parley.log;

import dev.parley.audit.InputPartition;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Verifies that a restored log follows from its last signed head and from committed audit records. Its caller gives it
 * the heads, then {@link #begin}s, then the indexes of the records in any order, then the records, mostly in the order
 * of the log, and {@link #finish}es. The caller compares the inputs. Not thread-safe.
 */
public final class RestoredLogVerifier {
    /** Limit of the records that wait for one with a lower index. */
    static final int MAX_EARLY = 100_000;

    private final RestoredLog restored;
    private final LogNoteReader notes;
    private final RecordVerifier records = new RecordVerifier();
    private final MerkleHasher hasher = new MerkleHasher();
    private final InputOffsets found = new InputOffsets();
    private final Map<InputPartition, InputOffsets> inputs = new HashMap<>();
    private final TreeMap<Long, byte[]> early = new TreeMap<>();
    private LogNoteReader.LogHead signed;
    private Frontier tree;
    private long first;

    /**
     * Creates a verifier.
     *
     * @param notes writer of the notes, with at least one key
     */
    public RestoredLogVerifier(RestoredLog restored, LogNotes notes) {
        this.restored = restored;
        this.notes = notes.reader();
    }

    /**
     * Adds the next note of the head topic. Notes of other logs, and those that no own key signed, do not count.
     *
     * @throws RestoredLogException if a smaller or a different head follows a signed one
     */
    public void head(AuditHead note) throws RestoredLogException {
        if (note.getPartition() != restored.partition()
                || !(notes.readOfAnyTime(note) instanceof LogNoteReader.LogHead head)
                || !head.proven()) {
            return;
        }
        if (signed != null && head.size() < signed.size()) {
            throw new RestoredLogException(
                    head.size(), "the head topic repeats " + head + " after the one at size " + signed.size());
        }
        if (signed != null && head.size() == signed.size() && !Arrays.equals(head.root(), signed.root())) {
            throw new RestoredLogException(
                    head.size(), "two signed heads at size " + head.size() + " have different roots");
        }
        signed = head;
    }

    /** Whether a head counts. */
    public boolean hasHead() {
        return signed != null;
    }

    /** Whether a time is not before that of the last signed head; false without one. */
    public boolean isAfterHead(long time) {
        return signed != null && time >= signed.time();
    }

    /**
     * Compares the restored log with the last signed head. Without one, the log must follow from all its records.
     *
     * @throws RestoredLogException if the restored log is shorter or was not restored from a log with this head
     */
    public void begin() throws RestoredLogException {
        if (signed == null) {
            tree = new Frontier();
        } else if (signed.size() > restored.size()) {
            throw new RestoredLogException(
                    restored.size(),
                    "the restored log has " + restored.size() + " records, but the last signed head has "
                            + signed.size());
        } else if (restored.head().size() != signed.size()
                || !Arrays.equals(restored.head().root(), signed.root())) {
            throw new RestoredLogException(
                    Math.min(signed.size(), restored.head().size()),
                    "the restored log continues a head at size "
                            + restored.head().size() + ", but the last signed head at size " + signed.size()
                            + " has another size or root");
        } else {
            tree = Frontier.of(signed.size(), restored.head().hashes());
        }
        first = tree.size();
    }

    /** Whether the audit record belongs to the log and is not covered by the last signed head. */
    public boolean isUncovered(AuditRecord auditRecord) {
        return auditRecord.getLog().getPartition() == restored.partition()
                && auditRecord.getLog().getIndex() >= first;
    }

    /**
     * Adds the index of an uncovered record.
     *
     * @throws RestoredLogException if two records have this index, or the restored log ends before it
     */
    public void found(long index) throws RestoredLogException {
        if (index >= restored.size()) {
            throw new RestoredLogException(
                    index,
                    "the restored log ends with " + restored.size()
                            + " records, but the audit topic has one with index " + index);
        }
        if (!InputOffsets.isPossible(index) || !found.add(index)) {
            throw new RestoredLogException(index, "two audit records have index " + index);
        }
    }

    /** Whether all uncovered records were found. */
    public boolean isComplete() {
        return found.count() == restored.size() - first;
    }

    /**
     * Verifies an uncovered record by itself, and appends it to the tree.
     *
     * @return the record with its input, which the caller must compare
     * @throws RestoredLogException if the record has a fault
     */
    public CheckedRecord record(AuditRecord auditRecord) throws RestoredLogException {
        CheckedRecord checked = records.check(auditRecord);
        long index = checked.log().getIndex();
        if (!checked.faults().isEmpty()) {
            FaultCode fault = checked.faults().get(0);
            throw new RestoredLogException(
                    index, "the audit record with index " + index + ": " + fault + ": " + fault.meaning());
        }
        if (auditRecord.getUnread() == null && checked.payloadHash() == null) {
            throw new RestoredLogException(index, "the audit record with index " + index + " has no payload hash");
        }
        InputPosition input = checked.input();
        if (!InputOffsets.isPossible(input.offset())
                || auditRecord.getUnread() == null
                        && !inputs.computeIfAbsent(input.inputPartition(), partition -> new InputOffsets())
                                .add(input.offset())) {
            throw new RestoredLogException(index, input + " has two audit records, or an impossible offset");
        }
        early.put(index, hasher.leaf(ByteBuffers.of(auditRecord.getHash())));
        for (byte[] leaf = early.remove(tree.size()); leaf != null; leaf = early.remove(tree.size())) {
            tree.append(leaf);
        }
        if (early.size() > MAX_EARLY) {
            throw new RestoredLogException(
                    tree.size(), MAX_EARLY + " audit records precede the one with index " + tree.size());
        }
        return checked;
    }

    /**
     * Compares the restored tree with that of the records.
     *
     * @throws RestoredLogException if a record is missing, or the roots differ
     */
    public void finish() throws RestoredLogException {
        if (tree.size() != restored.size()) {
            throw new RestoredLogException(
                    tree.size(), "the audit topic has no committed record with index " + tree.size());
        }
        if (!Arrays.equals(tree.root(), restored.root())) {
            throw new RestoredLogException(
                    first, "the audit records from index " + first + " on give another tree than the restored one");
        }
    }

    /** The exception for the first record that was not found. */
    public RestoredLogException missing() {
        long index = found.nextAbsent(first);
        return new RestoredLogException(index, "the audit topic has no committed record with index " + index);
    }

    /** A fault of the input of a record. */
    public static RestoredLogException ofInput(CheckedRecord checked, String cause) {
        return new RestoredLogException(checked.log().getIndex(), checked.input() + ": " + cause);
    }
}
