package dev.parley.log.tlog;

import dev.parley.encoding.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;

/** Hashes of a Merkle tree (RFC 6962, section 2.1). Reuses one digest. Not thread-safe. */
public final class MerkleHasher {
    /** Length of a hash, in bytes. */
    public static final int BYTES = Sha256.BYTES;

    /** Maximum number of leaves of a tree. */
    public static final long MAX_SIZE = 1L << 62;

    private static final byte LEAF = 0;
    private static final byte NODE = 1;

    private final MessageDigest sha256 = Sha256.digest();

    /** Root of the tree without leaves: the hash of no bytes. */
    public static byte[] emptyRoot() {
        return Sha256.of(new byte[0]);
    }

    /** Hash of a leaf. */
    public byte[] leaf(byte[] data) {
        sha256.update(LEAF);
        return sha256.digest(data);
    }

    /** Hash of a node. */
    public byte[] node(byte[] left, byte[] right) {
        sha256.update(NODE);
        sha256.update(left);
        return sha256.digest(right);
    }

    /**
     * Root of a perfect subtree.
     *
     * @param hashes concatenated hashes
     * @param first index of the first hash of the subtree
     * @param count number of hashes in the subtree, a power of two
     */
    public byte[] perfectRoot(byte[] hashes, int first, int count) {
        int from = first * BYTES;
        if (count == 1) {
            return Arrays.copyOfRange(hashes, from, from + BYTES);
        }
        int half = count / 2;
        return node(perfectRoot(hashes, first, half), perfectRoot(hashes, first + half, half));
    }
}
