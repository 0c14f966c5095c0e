package dev.parley.log.tlog;

import dev.parley.codec.Decimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Coordinates of a tile (C2SP tlog-tiles, "Merkle Tree").
 *
 * @param level level of the tile, from 0 to 63
 * @param index index within the level, from 0
 * @param width number of hashes, from 1 to {@link #WIDTH}; less for a partial tile
 */
public record Tile(int level, long index, int width) {
    /** Number of hashes of a full tile. */
    public static final int WIDTH = 256;

    /** Length of a full tile, in bytes. */
    public static final int BYTES = WIDTH * MerkleHasher.BYTES;

    /** Binary logarithm of the width. */
    public static final int HEIGHT = 8;

    /** Number of levels of the largest tree. */
    public static final int LEVELS = 8;

    private static final int MAX_LEVEL = 63;
    private static final int MAX_PATH = 64;
    private static final int GROUP_DIGITS = 3;
    private static final String PREFIX = "tile/";
    private static final String PARTIAL = ".p/";
    private static final Pattern PATH = Pattern.compile("tile/(\\d+)/((?:x\\d{3}/)*\\d{3})(?:\\.p/(\\d+))?");

    /**
     * Creates coordinates.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public Tile {
        if (level < 0 || level > MAX_LEVEL || index < 0 || width < 1 || width > WIDTH) {
            throw new IllegalArgumentException(
                    "level " + level + ", index " + index + " and width " + width + " must be coordinates of a tile");
        }
    }

    /**
     * Number of hashes of a tile in a tree: 256 if it is full, and 0 if the tree does not contain it.
     *
     * @param level level of the tile
     * @param index index within the level
     * @param size number of leaves of the tree
     */
    public static int widthIn(int level, long index, long size) {
        long hashes = level >= LEVELS ? 0 : size >>> HEIGHT * level;
        long full = hashes >>> HEIGHT;
        if (index < full) {
            return WIDTH;
        }
        return index > full ? 0 : (int) (hashes % WIDTH);
    }

    /** Index within a level of the tile that covers a leaf. */
    public static long indexAt(int level, long leaf) {
        return leaf >>> HEIGHT * (level + 1);
    }

    /** Whether a tree contains the tile: it is full in the tree, or the tree was that large when it was partial. */
    public boolean isIn(long size) {
        return width <= widthIn(level, index, size);
    }

    /** Path below the prefix of the log, such as {@code tile/0/x001/x234/067.p/12}. */
    public String path() {
        String digits = Long.toString(index);
        String groups = "0".repeat(Math.floorMod(-digits.length(), GROUP_DIGITS)) + digits;
        return PREFIX + level + '/' + groups.replaceAll("(...)(?=.)", "x$1/") + (width < WIDTH ? PARTIAL + width : "");
    }

    /** Parses {@link #path}; empty unless the path is exactly the one of a tile. */
    public static Optional<Tile> parse(String path) {
        Matcher parts = PATH.matcher(path);
        if (path.length() > MAX_PATH || !parts.matches()) {
            return Optional.empty();
        }
        long level = Decimal.parse(parts.group(1), MAX_LEVEL);
        long index = Decimal.parse(parts.group(2).replaceAll("[x/]", ""), MerkleHasher.MAX_SIZE);
        long width = parts.group(3) == null ? WIDTH : Decimal.parse(parts.group(3), WIDTH - 1);
        return level >= 0 && index >= 0 && width >= 1
                ? Optional.of(new Tile((int) level, index, (int) width))
                        .filter(tile -> tile.path().equals(path))
                : Optional.empty();
    }
}
