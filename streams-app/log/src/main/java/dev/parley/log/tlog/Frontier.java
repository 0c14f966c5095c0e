package dev.parley.log.tlog;

import java.util.ArrayList;
import java.util.List;

/**
 * Compact range of a growing Merkle tree: the roots of the perfect subtrees that cover its leaves, at most 62 hashes.
 * Not thread-safe.
 *
 * <p>A perfect subtree of level n has 2<sup>n</sup> leaves. The tree has one of level n for each bit n of its size.
 */
public final class Frontier {
    private static final int LEVELS = Long.SIZE - 1;

    private final MerkleHasher hasher = new MerkleHasher();
    private final byte[][] hashes = new byte[LEVELS][];
    private long size;

    /** Creates the frontier of an empty tree. */
    public Frontier() {}

    /**
     * Restores a frontier.
     *
     * @param size number of leaves, at most {@link MerkleHasher#MAX_SIZE}
     * @param hashes {@link #hashes()} of the tree
     * @throws IllegalArgumentException if size and hashes do not belong together
     */
    public static Frontier of(long size, List<byte[]> hashes) {
        if (size < 0 || size > MerkleHasher.MAX_SIZE || Long.bitCount(size) != hashes.size()) {
            throw new IllegalArgumentException(
                    "the frontier of " + size + " leaves cannot have " + hashes.size() + " hashes");
        }
        Frontier frontier = new Frontier();
        for (byte[] hash : hashes) {
            frontier.append(levelAt(frontier.size, size), hash);
        }
        return frontier;
    }

    /** Number of leaves. */
    public long size() {
        return size;
    }

    /** Roots of the perfect subtrees, from left to right, which is from the largest to the smallest. */
    public List<byte[]> hashes() {
        List<byte[]> result = new ArrayList<>(Long.bitCount(size));
        for (int level = LEVELS - 1; level >= 0; level--) {
            if (has(level)) {
                result.add(hashes[level].clone());
            }
        }
        return result;
    }

    /** Appends the hash of a leaf. */
    public void append(byte[] leaf) {
        append(0, leaf);
    }

    /** Whether the tree can grow by a perfect subtree of a level: its size is a multiple of the subtree's size. */
    public boolean canAppend(int level) {
        return level >= 0
                && level < LEVELS
                && Long.numberOfTrailingZeros(size) >= level
                && size <= MerkleHasher.MAX_SIZE - (1L << level);
    }

    /**
     * Appends a perfect subtree.
     *
     * @param level level of the subtree; see {@link #canAppend}
     * @param root root of the subtree, 32 bytes
     * @throws IllegalArgumentException if the tree cannot grow by this subtree
     */
    public void append(int level, byte[] root) {
        if (!canAppend(level) || root.length != MerkleHasher.BYTES) {
            throw new IllegalArgumentException("a tree of " + size + " leaves cannot grow by a subtree of level "
                    + level + " with a root of " + root.length + " bytes");
        }
        byte[] hash = root;
        int at = level;
        for (; has(at); at++) {
            hash = hasher.node(hashes[at], hash);
            hashes[at] = null;
        }
        hashes[at] = at == level ? root.clone() : hash;
        size += 1L << level;
    }

    /** Root of the tree. */
    public byte[] root() {
        byte[] root = null;
        for (int level = 0; level < LEVELS; level++) {
            if (has(level)) {
                root = root == null ? hashes[level] : hasher.node(hashes[level], root);
            }
        }
        return root == null ? MerkleHasher.emptyRoot() : root.clone();
    }

    /**
     * Level of the largest perfect subtree that starts at one leaf and ends at or before another. Repeated from its
     * end, it divides any range of leaves into at most 122 perfect subtrees.
     *
     * @param from first leaf, from 0
     * @param to end of the range, exclusive, greater than {@code from} and at most {@link MerkleHasher#MAX_SIZE}
     */
    public static int levelAt(long from, long to) {
        int longest = LEVELS - Long.numberOfLeadingZeros(to - from);
        return Math.min(longest, Long.numberOfTrailingZeros(from));
    }

    private boolean has(int level) {
        return (size >>> level & 1) == 1;
    }
}
