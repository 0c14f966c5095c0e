package dev.parley.log;

import dev.parley.audit.AuditChain;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Verification state of one chain: its last record and its gaps. */
public final class ChainState {
    /** Limit of tracked gaps, which bounds memory. Beyond it, a late record counts as repeated. */
    private static final int MAX_GAPS = 1_000;

    private final String name;
    private long first;
    private long next;
    private byte[] hash = new byte[AuditChain.HASH_BYTES];

    /** Missing sequences: from one up to, but without, another; null without any, as in most chains. */
    private TreeMap<Long, Long> gaps;

    private boolean started;
    private long logIndex = -1;
    private int skipped;

    ChainState(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** Sequence of its first record; 0 before it. */
    public long first() {
        return first;
    }

    /** Sequence of its last record so far; -1 before the first. */
    public long last() {
        return next - 1;
    }

    /** Hash of its last record so far. */
    public ByteBuffer hash() {
        return ByteBuffer.wrap(hash.clone());
    }

    /** Goes on with a record whose predecessors are omitted. */
    void skipTo(CheckedRecord checked) {
        if (!started) {
            first = checked.sequence();
        } else {
            skipped++;
        }
        next = checked.sequence();
        setHash(checked.previousHash());
    }

    /** Number of gaps of omitted records inside the chain. */
    public int skipped() {
        return skipped;
    }

    /** Index of its last record in the log; -1 before the first. */
    long logIndex() {
        return logIndex;
    }

    /** Adds the next record; null if its previous hash matches. */
    FaultCode next(CheckedRecord checked) {
        long sequence = checked.sequence();
        started = true;
        if (sequence < next) {
            return fills(sequence) ? FaultCode.RECORD_MOVED : FaultCode.RECORD_REPEATED;
        }
        FaultCode order = null;
        if (sequence > next) {
            leave(next, sequence);
            order = FaultCode.RECORD_MISSING;
        } else if (!Arrays.equals(checked.previousHash(), hash)) {
            order = FaultCode.LINK_BROKEN;
        }
        next = sequence + 1;
        logIndex = checked.log().getIndex();
        setHash(checked.hash());
        return order;
    }

    /** Copies a hash over the previous one, so that the garbage collector has nothing to move for a record. */
    private void setHash(byte[] next) {
        if (hash.length != next.length) {
            hash = new byte[next.length];
        }
        System.arraycopy(next, 0, hash, 0, next.length);
    }

    private void leave(long from, long to) {
        if (gaps == null) {
            gaps = new TreeMap<>();
        }
        if (from < to && gaps.size() < MAX_GAPS) {
            gaps.put(from, to);
        }
    }

    /** Whether a late record fills a gap; closes that gap. */
    private boolean fills(long sequence) {
        if (sequence < first) {
            first = sequence;
            return true;
        }
        Map.Entry<Long, Long> gap = gaps == null ? null : gaps.floorEntry(sequence);
        if (gap == null || gap.getValue() <= sequence) {
            return false;
        }
        gaps.remove(gap.getKey());
        leave(gap.getKey(), sequence);
        leave(sequence + 1, gap.getValue());
        return true;
    }
}
