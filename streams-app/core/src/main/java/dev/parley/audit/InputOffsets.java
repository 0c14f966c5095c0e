package dev.parley.audit;

import java.util.BitSet;
import java.util.TreeMap;

/**
 * A set of offsets of one input partition, or of indexes of one log, in blocks of {@value #BLOCK} offsets. A full block takes one bit,
 * any other one bit per offset. Memory therefore grows only with the distance between chains and with the blocks that
 * have holes, by at most one bit per offset.
 */
public final class InputOffsets {
    static final int BLOCK = 4_096;

    private static final long MAX_OFFSETS = (long) Integer.MAX_VALUE * BLOCK;

    private final BitSet full = new BitSet();
    private final TreeMap<Integer, BitSet> open = new TreeMap<>();
    private long count;
    private long first = Long.MAX_VALUE;
    private long end;

    /** Whether the set can contain this offset. */
    public static boolean isPossible(long offset) {
        return offset >= 0 && offset < MAX_OFFSETS;
    }

    /**
     * Adds an offset.
     *
     * @param offset a possible offset
     * @return false if the set already contains it
     */
    public boolean add(long offset) {
        int block = Math.toIntExact(offset / BLOCK);
        if (full.get(block)) {
            return false;
        }
        BitSet bits = open.computeIfAbsent(block, number -> new BitSet(BLOCK));
        int bit = (int) (offset % BLOCK);
        if (bits.get(bit)) {
            return false;
        }
        bits.set(bit);
        if (bits.nextClearBit(bit) == BLOCK && bits.nextClearBit(0) == BLOCK) {
            open.remove(block);
            full.set(block);
        }
        count++;
        first = Math.min(first, offset);
        end = Math.max(end, offset + 1);
        return true;
    }

    /** Whether the set contains an offset. */
    public boolean has(long offset) {
        int block = Math.toIntExact(offset / BLOCK);
        BitSet bits = open.get(block);
        return full.get(block) || (bits != null && bits.get((int) (offset % BLOCK)));
    }

    /**
     * The first offset at or after {@code from} that the set does not contain.
     *
     * @param from start of the search
     * @return an offset, possibly beyond {@link #end}
     */
    public long nextAbsent(long from) {
        long offset = from;
        while (true) {
            int block = Math.toIntExact(offset / BLOCK);
            if (full.get(block)) {
                offset = (long) full.nextClearBit(block) * BLOCK;
                continue;
            }
            BitSet bits = open.get(block);
            if (bits == null) {
                return offset;
            }
            int clear = bits.nextClearBit((int) (offset % BLOCK));
            if (clear < BLOCK) {
                return (long) block * BLOCK + clear;
            }
            offset = (block + 1L) * BLOCK;
        }
    }

    /**
     * The first offset at or after {@code from} that the set contains.
     *
     * @return an offset; {@link Long#MAX_VALUE} if there is none
     */
    public long nextPresent(long from) {
        long offset = from;
        while (offset < end) {
            int block = Math.toIntExact(offset / BLOCK);
            if (full.get(block)) {
                return offset;
            }
            BitSet bits = open.get(block);
            int set = bits == null ? -1 : bits.nextSetBit((int) (offset % BLOCK));
            if (set >= 0) {
                return (long) block * BLOCK + set;
            }
            offset = (block + 1L) * BLOCK;
        }
        return Long.MAX_VALUE;
    }

    /** The last offset before a limit that the set contains; -1 if there is none. */
    public long lastBefore(long limit) {
        long offset = Math.min(limit, end) - 1;
        while (offset >= first) {
            int block = Math.toIntExact(offset / BLOCK);
            if (full.get(block)) {
                return offset;
            }
            BitSet bits = open.get(block);
            int set = bits == null ? -1 : bits.previousSetBit((int) (offset % BLOCK));
            if (set >= 0) {
                return (long) block * BLOCK + set;
            }
            offset = (long) block * BLOCK - 1;
        }
        return -1;
    }

    /** Number of offsets in the set before a limit. */
    public long countBefore(long limit) {
        long before = 0;
        for (long from = nextPresent(0); from < limit; ) {
            long to = nextAbsent(from);
            before += Math.min(to, limit) - from;
            from = nextPresent(to);
        }
        return before;
    }

    /** Number of offsets in the set. */
    public long count() {
        return count;
    }

    /** The first offset in the set; {@link Long#MAX_VALUE} if it is empty. */
    public long first() {
        return first;
    }

    /** One more than the last offset in the set; 0 if it is empty. */
    public long end() {
        return end;
    }

    /** Number of blocks with one bit per offset. */
    int openBlocks() {
        return open.size();
    }
}
