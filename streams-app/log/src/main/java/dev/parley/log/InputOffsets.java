package dev.parley.log;

import dev.parley.audit.InputPosition;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * A set of offsets of one input partition, or of indexes of one log, in blocks of {@value #BLOCK} offsets. A full block
 * takes an entry of a map, another one also a bit per offset, and a block without offsets nothing. Memory therefore
 * grows by at most one bit per offset of a block that has some.
 */
public final class InputOffsets {
    static final int BLOCK = 4_096;

    /** Never changed. */
    private static final BitSet FULL = new BitSet(BLOCK);

    static {
        FULL.set(0, BLOCK);
    }

    private final TreeMap<Integer, BitSet> blocks = new TreeMap<>();
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
        int block = block(offset);
        BitSet bits = blocks.computeIfAbsent(block, number -> new BitSet(BLOCK));
        int bit = (int) (offset % BLOCK);
        if (bits.get(bit)) {
            return false;
        }
        bits.set(bit);
        if (bits.nextClearBit(bit) == BLOCK && bits.nextClearBit(0) == BLOCK) {
            blocks.put(block, FULL);
        }
        count++;
        first = Math.min(first, offset);
        end = Math.max(end, offset + 1);
        return true;
    }

    private static int block(long offset) {
        return Math.toIntExact(offset / BLOCK);
    }

    /** Whether the set contains an offset. */
    public boolean has(long offset) {
        BitSet bits = blocks.get(block(offset));
        return bits != null && bits.get((int) (offset % BLOCK));
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
            BitSet bits = blocks.get(block(offset));
            int clear = bits == null ? (int) (offset % BLOCK) : bits.nextClearBit((int) (offset % BLOCK));
            if (clear < BLOCK) {
                return offset - offset % BLOCK + clear;
            }
            offset += BLOCK - offset % BLOCK;
        }
        return offset;
    }

    /**
     * The first offset at or after {@code from} that the set contains.
     *
     * @return an offset; {@link Long#MAX_VALUE} if there is none
     */
    public long nextPresent(long from) {
        for (long offset = from; offset < end; ) {
            Map.Entry<Integer, BitSet> block = blocks.ceilingEntry(block(offset));
            long start = (long) block.getKey() * BLOCK;
            int set = block.getValue().nextSetBit((int) Math.max(0, offset - start));
            if (set >= 0) {
                return start + set;
            }
            offset = start + BLOCK;
        }
        return Long.MAX_VALUE;
    }

    /** The last offset before a limit that the set contains; -1 if there is none. */
    public long lastBefore(long limit) {
        for (long offset = Math.min(limit, end) - 1; offset >= first; ) {
            Map.Entry<Integer, BitSet> block = blocks.floorEntry(block(offset));
            long start = (long) block.getKey() * BLOCK;
            int set = block.getValue().previousSetBit((int) Math.min(BLOCK - 1, offset - start));
            if (set >= 0) {
                return start + set;
            }
            offset = start - 1;
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
        return (int) blocks.values().stream().filter(bits -> bits != FULL).count();
    }
}
