package dev.parley.log;

import dev.parley.audit.InputPosition;
import java.util.BitSet;
import java.util.TreeMap;

/**
 * A set of offsets of one input partition, or of indexes of one log, in blocks of {@value #BLOCK} offsets. A run of
 * full blocks takes as much as a number, any other block one bit per offset. Memory therefore grows only with the
 * distance between chains and with the blocks that have holes, by at most one bit per offset of a block that has some.
 * Blocks without offsets take neither memory nor time.
 */
public final class InputOffsets {
    static final int BLOCK = 4_096;

    /** The runs of full blocks: the block after the last one, by the first one. */
    private final TreeMap<Integer, Integer> full = new TreeMap<>();

    private final TreeMap<Integer, BitSet> open = new TreeMap<>();
    private long count;
    private long first = Long.MAX_VALUE;
    private long end;

    /** Whether the set can contain this offset. */
    public static boolean isPossible(long offset) {
        return offset >= 0 && offset < InputPosition.MAX_OFFSETS;
    }

    /**
     * Adds an offset.
     *
     * @param offset a possible offset
     * @return false if the set already contains it
     */
    public boolean add(long offset) {
        int block = Math.toIntExact(offset / BLOCK);
        if (isFull(block)) {
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
            fill(block);
        }
        count++;
        first = Math.min(first, offset);
        end = Math.max(end, offset + 1);
        return true;
    }

    /** Adds a full block to the runs, between which it may be the only missing one. */
    private void fill(int block) {
        Integer before = full.lowerKey(block);
        Integer after = full.remove(block + 1);
        full.put(before != null && full.get(before) == block ? before : block, after == null ? block + 1 : after);
    }

    /** The block after the run of full blocks that a block belongs to; 0 if the block is not full. */
    private int fullEnd(int block) {
        Integer first = full.floorKey(block);
        int end = first == null ? 0 : full.get(first);
        return block < end ? end : 0;
    }

    private boolean isFull(int block) {
        return fullEnd(block) > 0;
    }

    /** Whether the set contains an offset. */
    public boolean has(long offset) {
        int block = Math.toIntExact(offset / BLOCK);
        BitSet bits = open.get(block);
        return isFull(block) || (bits != null && bits.get((int) (offset % BLOCK)));
    }

    /**
     * The first offset at or after {@code from} that the set does not contain.
     *
     * @param from start of the search
     * @return an offset, possibly beyond {@link #end}
     */
    public long nextAbsent(long from) {
        long offset = from;
        while (isPossible(offset)) {
            int block = Math.toIntExact(offset / BLOCK);
            if (isFull(block)) {
                offset = (long) fullEnd(block) * BLOCK;
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
        return offset;
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
            if (isFull(block)) {
                return offset;
            }
            BitSet bits = open.get(block);
            int set = bits == null ? -1 : bits.nextSetBit((int) (offset % BLOCK));
            if (set >= 0) {
                return (long) block * BLOCK + set;
            }
            offset = BLOCK
                    * Math.min(
                            number(full.higherKey(block), Integer.MAX_VALUE),
                            number(open.higherKey(block), Integer.MAX_VALUE));
        }
        return Long.MAX_VALUE;
    }

    /** The last offset before a limit that the set contains; -1 if there is none. */
    public long lastBefore(long limit) {
        long offset = Math.min(limit, end) - 1;
        while (offset >= first) {
            int block = Math.toIntExact(offset / BLOCK);
            if (isFull(block)) {
                return offset;
            }
            BitSet bits = open.get(block);
            int set = bits == null ? -1 : bits.previousSetBit((int) (offset % BLOCK));
            if (set >= 0) {
                return (long) block * BLOCK + set;
            }
            Integer run = full.lowerKey(block);
            long before = Math.max(run == null ? 0 : full.get(run), number(open.lowerKey(block), -1) + 1);
            offset = BLOCK * before - 1;
        }
        return -1;
    }

    /** A block as a number, or another number for no block. */
    private static long number(Integer block, long otherwise) {
        return block == null ? otherwise : block;
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
