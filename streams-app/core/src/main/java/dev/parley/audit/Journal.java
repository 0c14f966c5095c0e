package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.JournalPosition;
import dev.parley.avro.JournalState;
import dev.parley.decode.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * The running hash over all audit records of one pipeline task in the order of writing. J(0) is 32 zero bytes, and J(n)
 * is SHA-256 over J(n-1) and the hash of record n. A chain proves that none of its own records is missing; a journal
 * proves that no chain is missing. Not thread-safe.
 */
public final class Journal {
    private final MessageDigest sha256 = Sha256.digest();
    private final int partition;
    private long records;
    private byte[] root;
    private long chains;

    /**
     * Creates a journal.
     *
     * @param partition partition of the task
     * @param before its stored state; null before its first record
     */
    public Journal(int partition, JournalState before) {
        this.partition = partition;
        records = before == null ? 0 : before.getRecords();
        chains = before == null ? 0 : before.getChains();
        root = bytes(before == null ? AuditChain.genesis() : before.getRoot());
    }

    public JournalPosition next() {
        return new JournalPosition(partition, records + 1);
    }

    /** Adds a record, whose position is {@link #next}. */
    public void add(AuditRecord auditRecord) {
        root = advance(sha256, root, bytes(auditRecord.getHash()));
        records++;
        chains += auditRecord.getSequence() == 0 ? 1 : 0;
    }

    /** Its state, for the store. */
    public JournalState state() {
        return new JournalState(records, ByteBuffer.wrap(root), chains, 0L, null);
    }

    /** The running hash after one more record. */
    static byte[] advance(MessageDigest sha256, byte[] root, byte[] hash) {
        sha256.update(root);
        sha256.update(hash);
        return sha256.digest();
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
