package dev.parley.log.tlog;

import java.io.IOException;

/** Source of tiles: a store, a directory, or a log over HTTP. */
@FunctionalInterface
public interface TileReader {
    /**
     * Reads a tile.
     *
     * @param tile coordinates, of level 0 or above
     * @return the hashes of the tile, 32 bytes each; those of the full tile are accepted for a partial one
     * @throws IOException if the tile cannot be read, or was pruned
     */
    byte[] read(Tile tile) throws IOException;
}
