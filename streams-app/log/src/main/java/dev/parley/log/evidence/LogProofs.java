package dev.parley.log.evidence;

import dev.parley.audit.Redactions;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.OmittedRecords;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.tlog.InclusionProof;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TlogProof;
import dev.parley.log.verify.ProofRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Proofs of the records of a verified export, from its own entries: the hashes of its records and of those that it
 * omits give every hash of the log. Memory grows with the number of entries. Not thread-safe.
 */
final class LogProofs {
    private final Map<Integer, Log> logs = new HashMap<>();

    /** The leaves of a node. */
    private record Range(long from, long to) {}

    /** The tree of one log. Keeps every hash that it computes. */
    private static final class Log {
        private final MerkleHasher hasher = new MerkleHasher();
        private final Map<Range, byte[]> hashes = new HashMap<>();
        private AuditHead head;

        byte[] hash(long from, long to) throws IOException {
            Range range = new Range(from, to);
            byte[] known = hashes.get(range);
            if (known == null) {
                if (to - from < 2) {
                    throw new IOException("no entry of the export has the hash of index " + from);
                }
                long middle = from + Long.highestOneBit(to - from - 1);
                known = hasher.node(hash(from, middle), hash(middle, to));
                hashes.put(range, known);
            }
            return known;
        }
    }

    /** Adds the head of a log; ignores other notes. */
    void note(AuditHead note) {
        if (note.getPartition() >= 0) {
            log(note.getPartition()).head = note;
        }
    }

    void omitted(OmittedRecords subtree) {
        log(subtree.getPartition())
                .hashes
                .put(
                        new Range(subtree.getIndex(), subtree.getIndex() + (1L << subtree.getLevel())),
                        ByteBuffers.of(subtree.getHash()));
    }

    void record(AuditRecord record) {
        Log log = log(record.getLog().getPartition());
        long index = record.getLog().getIndex();
        log.hashes.put(new Range(index, index + 1), log.hasher.leaf(ByteBuffers.of(record.getHash())));
    }

    /**
     * The proof of a record; without its content if the format does not allow its size. Empty if the head of its log is
     * not signed, so that it proves nothing.
     *
     * @throws IOException if the export lacks an entry
     */
    Optional<byte[]> proof(AuditRecord record) throws IOException {
        Log log = log(record.getLog().getPartition());
        try {
            SignedNote note = SignedNote.parse(log.head.getNote().getBytes(StandardCharsets.UTF_8));
            byte[] extra = ProofRecord.of(record);
            if (extra.length > ProofRecord.MAX_BYTES) {
                extra = ProofRecord.of(Redactions.redact(record, null));
            }
            InclusionProof path = InclusionProof.of(record.getLog().getIndex(), log.head.getSize(), log::hash);
            return Optional.of(TlogProof.of(Optional.of(extra), path, note).toBytes());
        } catch (TlogFormatException e) {
            return Optional.empty();
        }
    }

    private Log log(int partition) {
        return logs.computeIfAbsent(partition, number -> new Log());
    }
}
