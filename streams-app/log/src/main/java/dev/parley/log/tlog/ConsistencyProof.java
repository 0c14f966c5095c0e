package dev.parley.log.tlog;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Proof that a tree begins with an older tree (RFC 6962, section 2.1.2). Every tree begins with the empty one, which
 * needs no proof (C2SP tlog-witness, "add-checkpoint").
 *
 * @param oldSize number of leaves of the older tree
 * @param newSize number of leaves of the newer tree
 * @param hashes hashes of the proof, 32 bytes each
 */
public record ConsistencyProof(long oldSize, long newSize, List<byte[]> hashes) {
    /**
     * Computes a proof from tiles.
     *
     * @throws IllegalArgumentException if the old size exceeds the new size, or a size is out of range
     * @throws IOException if a tile cannot be read
     */
    public static ConsistencyProof of(long oldSize, long newSize, TileReader reader) throws IOException {
        if (oldSize < 0 || oldSize > newSize || newSize > MerkleHasher.MAX_SIZE) {
            throw new IllegalArgumentException("old size " + oldSize + " must not exceed new size " + newSize);
        }
        return new ConsistencyProof(
                oldSize,
                newSize,
                oldSize == 0
                        ? List.of()
                        : MerklePath.siblings(oldSize - 1, newSize, true, new TileHashes(reader, newSize)::range));
    }

    /**
     * Whether the proof leads from the old root to the new root. False for values of any form that do not: also for a
     * proof that is too short or too long, and sizes that are out of order.
     */
    public boolean verify(byte[] oldRoot, byte[] newRoot) {
        if (oldSize < 0 || oldSize > newSize || newSize > MerkleHasher.MAX_SIZE) {
            return false;
        }
        if (oldSize == newSize || oldSize == 0) {
            return hashes.isEmpty()
                    && (oldSize > 0 || Arrays.equals(oldRoot, MerkleHasher.emptyRoot()))
                    && (oldSize < newSize || Arrays.equals(oldRoot, newRoot));
        }
        if (oldRoot.length != MerkleHasher.BYTES || hashes.isEmpty()) {
            return false;
        }
        // The two trees share the path of the last old leaf above its largest perfect subtree.
        int levels = Long.numberOfTrailingZeros(oldSize);
        long at = oldSize - 1 >>> levels;
        long last = newSize - 1 >>> levels;
        // An old tree that is perfect is that subtree itself, so the proof does not repeat its root.
        boolean perfect = at == 0;
        byte[] shared = perfect ? oldRoot : hashes.get(0);
        List<byte[]> path = hashes.subList(perfect ? 0 : 1, hashes.size());
        return shared.length == MerkleHasher.BYTES
                && Arrays.equals(MerklePath.root(shared, at, last, path, true), oldRoot)
                && Arrays.equals(MerklePath.root(shared, at, last, path, false), newRoot);
    }
}
