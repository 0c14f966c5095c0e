package dev.parley.log.tlog;

import java.util.Arrays;

/**
 * Tiles of a growing Merkle tree (C2SP tlog-tiles). Keeps only the right edge in memory: one partial tile per level, at
 * most 64 KiB. Not thread-safe.
 *
 * <p>A caller persists each hash that {@link Listener#hashAppended} reports, 257 hashes for 256 leaves, and each
 * completed tile once. {@link #restore} needs only the size and the hashes of the last tile of each level.
 */
public final class TileTree {
    /** Receives what an append changes. */
    public interface Listener {
        /**
         * A level has another hash.
         *
         * @param level level of the tile, from 0 to 7
         * @param count number of hashes of the level, with this one
         * @param tile hashes of the last tile of the level, valid during the call
         */
        void hashAppended(int level, long count, byte[] tile);

        /**
         * A tile is full, and never changes again. The partial tile of its level is empty now.
         *
         * @param tile coordinates
         * @param hashes 8,192 bytes, valid during the call
         */
        void tileCompleted(Tile tile, byte[] hashes);
    }

    /** Source of persisted hashes of the right edge. */
    @FunctionalInterface
    public interface Edge {
        /**
         * The hashes of the partial tile of a level.
         *
         * @param level level of the tile, from 0 to 7
         * @param width number of hashes, from 1 to 255
         */
        byte[] hashes(int level, int width);
    }

    private final MerkleHasher hasher = new MerkleHasher();
    private final byte[][] edge = new byte[Tile.LEVELS][];
    private long size;

    /** Creates an empty tree. */
    public TileTree() {}

    /**
     * Restores a tree.
     *
     * @param size number of leaves
     * @param stored hashes of the right edge
     * @throws IllegalArgumentException if the size is out of range, or hashes do not have 32 bytes each
     */
    public static TileTree restore(long size, Edge stored) {
        if (size < 0 || size > MerkleHasher.MAX_SIZE) {
            throw new IllegalArgumentException("size " + size + " must be from 0 to " + MerkleHasher.MAX_SIZE);
        }
        TileTree tree = new TileTree();
        tree.size = size;
        for (int level = 0; level < Tile.LEVELS; level++) {
            int width = tree.width(level);
            if (width > 0) {
                tree.put(level, 0, stored.hashes(level, width), width);
            }
        }
        return tree;
    }

    /** Number of leaves. */
    public long size() {
        return size;
    }

    /**
     * Appends the hash of a leaf.
     *
     * @throws IllegalArgumentException if the hash does not have 32 bytes, or the tree has its maximum size
     */
    public void append(byte[] leaf, Listener listener) {
        if (size == MerkleHasher.MAX_SIZE) {
            throw new IllegalArgumentException("a tree has at most " + MerkleHasher.MAX_SIZE + " leaves");
        }
        byte[] hash = leaf;
        for (int level = 0; hash != null; level++) {
            int slot = width(level);
            put(level, slot, hash, 1);
            listener.hashAppended(level, (size >>> Tile.HEIGHT * level) + 1, edge[level]);
            hash = null;
            if (slot == Tile.WIDTH - 1) {
                long index = Tile.indexAt(level, size);
                listener.tileCompleted(new Tile(level, index, Tile.WIDTH), edge[level]);
                hash = hasher.perfectRoot(edge[level], 0, Tile.WIDTH);
            }
        }
        size++;
    }

    /** Hashes of the partial tile of a level, from 0 to 7; empty if all its tiles are full. */
    public byte[] partial(int level) {
        return edge[level] == null ? new byte[0] : Arrays.copyOf(edge[level], width(level) * MerkleHasher.BYTES);
    }

    /** The frontier of the tree. Costs up to 255 hashes per level. */
    public Frontier frontier() {
        Frontier frontier = new Frontier();
        for (int level = Tile.LEVELS - 1; level >= 0; level--) {
            for (int slot = 0; slot < width(level); slot++) {
                int from = slot * MerkleHasher.BYTES;
                frontier.append(level * Tile.HEIGHT, Arrays.copyOfRange(edge[level], from, from + MerkleHasher.BYTES));
            }
        }
        return frontier;
    }

    private int width(int level) {
        return (int) (size >>> Tile.HEIGHT * level) & Tile.WIDTH - 1;
    }

    private void put(int level, int slot, byte[] hashes, int count) {
        if (hashes.length != count * MerkleHasher.BYTES) {
            throw new IllegalArgumentException(
                    count + " hashes must have 32 bytes each, but all have " + hashes.length + " bytes");
        }
        if (edge[level] == null) {
            edge[level] = new byte[Tile.BYTES];
        }
        System.arraycopy(hashes, 0, edge[level], slot * MerkleHasher.BYTES, hashes.length);
    }
}
