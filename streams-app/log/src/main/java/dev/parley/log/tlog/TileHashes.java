package dev.parley.log.tlog;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Hashes of the nodes of one tree, computed from its tiles. Reads each tile once. Not thread-safe. */
final class TileHashes {
    private final TileReader reader;
    private final long size;
    private final MerkleHasher hasher = new MerkleHasher();
    private final Map<Tile, byte[]> tiles = new HashMap<>();

    /**
     * Creates a source of hashes.
     *
     * @param size number of leaves of the tree
     */
    TileHashes(TileReader reader, long size) {
        this.reader = reader;
        this.size = size;
    }

    /** Size of the left part of a tree: the largest power of two below its size. */
    static long split(long leaves) {
        return Long.highestOneBit(leaves - 1);
    }

    /** Root of the leaves of a node: a perfect subtree, or one at the right edge of the tree. */
    byte[] range(long from, long to) throws IOException {
        int level = Frontier.levelAt(from, to);
        if (1L << level == to - from) {
            return perfect(level, from >>> level);
        }
        long middle = from + split(to - from);
        return hasher.node(range(from, middle), range(middle, to));
    }

    private byte[] perfect(int level, long index) throws IOException {
        int inTile = level % Tile.HEIGHT;
        long first = index << inTile;
        Tile tile = tile(level / Tile.HEIGHT, first >>> Tile.HEIGHT);
        byte[] hashes = tiles.get(tile);
        if (hashes == null) {
            hashes = reader.read(tile);
            int expected = tile.width() * MerkleHasher.BYTES;
            if (hashes.length != expected && hashes.length != Tile.BYTES) {
                throw new IOException(tile.path() + " must have " + expected + " bytes, but has " + hashes.length);
            }
            tiles.put(tile, hashes);
        }
        return hasher.perfectRoot(hashes, (int) (first % Tile.WIDTH), 1 << inTile);
    }

    private Tile tile(int level, long index) {
        return new Tile(level, index, Tile.widthIn(level, index, size));
    }
}
