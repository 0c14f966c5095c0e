package dev.parley.log.tlog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The path from a node of a tree to the root, which the siblings of its nodes prove (RFC 6962, section 2.1). */
final class MerklePath {
    private MerklePath() {}

    /**
     * The siblings of a path, from the lowest one upward.
     *
     * @param leaf index of a leaf
     * @param size number of leaves of the tree
     * @param toNode whether the path ends at the largest node whose last leaf this is, not at the leaf; the hash of
     *     that node comes first, unless it has all leaves from the first one on
     * @throws IOException if a hash cannot be read
     */
    static List<byte[]> siblings(long leaf, long size, boolean toNode, InclusionProof.RangeHashes nodes)
            throws IOException {
        List<byte[]> hashes = new ArrayList<>();
        long from = 0;
        long to = size;
        while (toNode ? to != leaf + 1 : to - from > 1) {
            long middle = from + TileHashes.split(to - from);
            if (leaf < middle) {
                hashes.add(nodes.hash(middle, to));
                to = middle;
            } else {
                hashes.add(nodes.hash(from, middle));
                from = middle;
            }
        }
        if (toNode && from > 0) {
            hashes.add(nodes.hash(from, to));
        }
        Collections.reverse(hashes);
        return hashes;
    }

    /**
     * The root to which a path leads.
     *
     * @param node hash of the lowest node
     * @param index index of that node in its level
     * @param last index of the last node of that level
     * @param siblings siblings from the lowest one upward
     * @param left whether only left siblings count, which lead to the root of the tree that ends with the node
     * @return the root; empty if the path is too short or too long, or a sibling is not a hash
     */
    static byte[] root(byte[] node, long index, long last, List<byte[]> siblings, boolean left) {
        MerkleHasher hasher = new MerkleHasher();
        byte[] hash = node;
        long at = index;
        long end = last;
        for (byte[] sibling : siblings) {
            if (end == 0 || sibling.length != MerkleHasher.BYTES) {
                return new byte[0];
            }
            if ((at & 1) == 1 || at == end) {
                hash = hasher.node(sibling, hash);
                // A node without a right sibling moves up unchanged.
                int levels = Long.numberOfTrailingZeros(at);
                at >>>= levels;
                end >>>= levels;
            } else if (!left) {
                hash = hasher.node(hash, sibling);
            }
            at >>>= 1;
            end >>>= 1;
        }
        return end == 0 ? hash : new byte[0];
    }
}
