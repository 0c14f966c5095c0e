package dev.parley.audit;

import java.util.BitSet;
import java.util.TreeMap;

/**
 * Which offsets of one input partition have come. Kept in blocks of {@value #BLOCK} offsets: a block that is full is one bit, any other a bit for each offset. So what it takes
 * grows with the offsets by which chains run ahead of each other and with the blocks that have holes, at most one bit for each offset, and with nothing else.
 */
public final class InputOffsets {
    static final int BLOCK = 4_096;

    private static final long MOST = (long) Integer.MAX_VALUE * BLOCK;

    private final BitSet full = new BitSet();
    private final TreeMap<Integer, BitSet> open = new TreeMap<>();
    private long count;
    private long first = Long.MAX_VALUE;
    private long end;

    /** Whether some partition can have this offset. */
    public static boolean isPossible(long offset) {
        return offset >= 0 && offset < MOST;
    }

    /**
     * Takes an offset.
     *
     * @param offset a possible one
     * @return false when it has come before
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
        if (bits.nextClearBit(0) == BLOCK) {
            open.remove(block);
            full.set(block);
        }
        count++;
        first = Math.min(first, offset);
        end = Math.max(end, offset + 1);
        return true;
    }

    /** Whether an offset has come. */
    public boolean has(long offset) {
        int block = Math.toIntExact(offset / BLOCK);
        BitSet bits = open.get(block);
        return full.get(block) || (bits != null && bits.get((int) (offset % BLOCK)));
    }

    /**
     * The first offset from one on that has not come.
     *
     * @param from where to look from
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
     * The first offset from one on that has come.
     *
     * @return an offset; {@link Long#MAX_VALUE} when none has
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

    /** Number of offsets that have come. */
    public long count() {
        return count;
    }

    /** The first offset that has come; {@link Long#MAX_VALUE} when none has. */
    public long first() {
        return first;
    }

    /** One more than the last offset that has come; 0 when none has. */
    public long end() {
        return end;
    }

    /** Number of blocks that take a bit for each offset. */
    int openBlocks() {
        return open.size();
    }
}
