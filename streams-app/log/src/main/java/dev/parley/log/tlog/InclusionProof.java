package dev.parley.log.tlog;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Proof that a leaf is in a tree (RFC 6962, section 2.1.1).
 *
 * @param index index of the leaf, from 0
 * @param size number of leaves of the tree
 * @param hashes siblings of the path from the leaf to the root, 32 bytes each
 */
public record InclusionProof(long index, long size, List<byte[]> hashes) {
    /** Source of the hashes of a tree. */
    @FunctionalInterface
    public interface RangeHashes {
        /**
         * Root of the leaves of a node: a perfect subtree, or one at the right edge of the tree.
         *
         * @param from first leaf
         * @param to end of the leaves, exclusive
         */
        byte[] hash(long from, long to) throws IOException;
    }

    /**
     * Computes a proof from tiles.
     *
     * @throws IllegalArgumentException if the index is not less than the size, or the size is out of range
     * @throws IOException if a tile cannot be read
     */
    public static InclusionProof of(long index, long size, TileReader reader) throws IOException {
        return of(index, size, new TileHashes(reader, size)::range);
    }

    /**
     * Computes a proof from the hashes of nodes.
     *
     * @throws IllegalArgumentException if the index is not less than the size, or the size is out of range
     * @throws IOException if a hash cannot be read
     */
    public static InclusionProof of(long index, long size, RangeHashes nodes) throws IOException {
        if (index < 0 || index >= size || size > MerkleHasher.MAX_SIZE) {
            throw new IllegalArgumentException("index " + index + " must be less than size " + size);
        }
        return new InclusionProof(index, size, MerklePath.siblings(index, size, false, nodes));
    }

    /**
     * Whether the proof leads from a leaf to a root. False for values of any form that do not: also for a proof that is
     * too short or too long, and an index outside the tree.
     *
     * @param leaf hash of the leaf; see {@link MerkleHasher#leaf}
     * @param root root of the tree
     */
    public boolean verify(byte[] leaf, byte[] root) {
        return index >= 0
                && index < size
                && size <= MerkleHasher.MAX_SIZE
                && leaf.length == MerkleHasher.BYTES
                && Arrays.equals(MerklePath.root(leaf, index, size - 1, hashes, false), root);
    }
}
