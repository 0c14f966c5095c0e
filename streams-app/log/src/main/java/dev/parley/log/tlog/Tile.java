package dev.parley.log.tlog;

import java.util.Optional;

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
    private static final int GROUP = 1000;
    private static final String PREFIX = "tile/";
    private static final String PARTIAL = ".p/";

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
        StringBuilder path = new StringBuilder(MAX_PATH).append(PREFIX).append(level);
        long divisor = 1;
        while (index / divisor >= GROUP) {
            divisor *= GROUP;
        }
        for (; divisor > 0; divisor /= GROUP) {
            int group = (int) (index / divisor % GROUP);
            path.append(divisor > 1 ? "/x" : "/")
                    .append((char) ('0' + group / 100))
                    .append((char) ('0' + group / 10 % 10))
                    .append((char) ('0' + group % 10));
        }
        if (width < WIDTH) {
            path.append(PARTIAL).append(width);
        }
        return path.toString();
    }

    /** Parses {@link #path}; empty unless the path is exactly the one of a tile. */
    public static Optional<Tile> parse(String path) {
        if (path.length() > MAX_PATH || !path.startsWith(PREFIX)) {
            return Optional.empty();
        }
        int levelEnd = path.indexOf('/', PREFIX.length());
        if (levelEnd < 0) {
            return Optional.empty();
        }
        long level = Lines.number(path.substring(PREFIX.length(), levelEnd), MAX_LEVEL);
        int partial = path.indexOf(PARTIAL, levelEnd);
        int indexEnd = partial < 0 ? path.length() : partial;
        long width = partial < 0 ? WIDTH : Lines.number(path.substring(partial + PARTIAL.length()), WIDTH - 1);
        long index = index(path, levelEnd, indexEnd);
        return level >= 0 && width >= 1 && index >= 0
                ? Optional.of(new Tile((int) level, index, (int) width))
                : Optional.empty();
    }

    /** The index in a part of a path, or -1. */
    private static long index(String path, int from, int to) {
        long index = 0;
        int at = from;
        boolean last = false;
        while (at < to) {
            last = to - at == 4;
            int digits = last ? at + 1 : at + 2;
            if (path.charAt(at) != '/' || digits + 3 > to || !last && path.charAt(at + 1) != 'x') {
                return -1;
            }
            int group = 0;
            for (int i = digits; i < digits + 3; i++) {
                int digit = path.charAt(i) - '0';
                if (digit < 0 || digit > 9) {
                    return -1;
                }
                group = group * 10 + digit;
            }
            boolean leadingZeros = at == from && !last && group == 0;
            if (leadingZeros || index > (MerkleHasher.MAX_SIZE - group) / GROUP) {
                return -1;
            }
            index = index * GROUP + group;
            at = digits + 3;
        }
        return last ? index : -1;
    }
}
