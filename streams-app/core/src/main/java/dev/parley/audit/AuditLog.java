package dev.parley.audit;

import dev.parley.avro.AuditTile;
import dev.parley.avro.LogPosition;
import dev.parley.checkpoint.SortedStore;
import dev.parley.encoding.ByteBuffers;
import dev.parley.tlog.Frontier;
import dev.parley.tlog.MerkleHasher;
import dev.parley.tlog.Tile;
import dev.parley.tlog.TileTree;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The log of one pipeline task: a Merkle tree over the hashes of its audit records, in the order of writing
 * (docs/audit.md). The store holds its right edge, the tiles that are complete but not published, and the tree of the
 * last published head. A record costs two
 * writes of a few bytes. Not thread-safe.
 */
public final class AuditLog {
    private static final String SIZE = "size";
    private static final String HEAD = "head";
    private static final String EDGE = "edge|";
    private static final String TILE = "tile|";
    private static final int RADIX = 16;
    private static final int INDEX_DIGITS = 16;

    private final int partition;
    private final SortedStore<byte[]> store;
    private final TileTree tree;
    private final MerkleHasher hasher = new MerkleHasher();
    private final TileTree.Listener writer = new TileTree.Listener() {
        @Override
        public void slotWritten(int level, int slot, byte[] hash) {
            store.put(edge(level, slot), hash);
        }

        @Override
        public void tileCompleted(Tile tile, byte[] hashes) {
            store.put(TILE + tile.level() + '|' + hexadecimal(tile.index()), hashes.clone());
        }
    };

    /**
     * Restores a log.
     *
     * @param partition partition of the task
     * @param store what an earlier instance wrote to it
     */
    public AuditLog(int partition, SortedStore<byte[]> store) {
        this.partition = partition;
        this.store = store;
        long size = size(store);
        tree = TileTree.restore(
                size,
                (level, slot) -> store.get(edge(level, slot))
                        .orElseThrow(() -> new IllegalStateException("the log of partition " + partition + " with "
                                + size + " records lacks hash " + slot + " of level " + level)));
    }

    /** Key of a tile in its topic. */
    public static String tileKey(int partition, int level, long index) {
        return partition + "/" + level + "/" + index;
    }

    /** Number of records of the log in a store. */
    public static long size(SortedStore<byte[]> store) {
        return store.get(SIZE).map(bytes -> ByteBuffer.wrap(bytes).getLong()).orElse(0L);
    }

    private static String edge(int level, int slot) {
        return EDGE + level + '|' + slot;
    }

    /** A number whose texts sort like the numbers. */
    private static String hexadecimal(long number) {
        String digits = Long.toString(number, RADIX);
        return "0".repeat(INDEX_DIGITS - digits.length()) + digits;
    }

    /** Position of the next record. */
    public LogPosition next() {
        return new LogPosition(partition, tree.size());
    }

    /** Root of the tree, 32 bytes. */
    public byte[] root() {
        return tree.frontier().root();
    }

    /**
     * Appends the record whose position is {@link #next}.
     *
     * @param hash hash of the record, the log's entry for it
     */
    public void append(ByteBuffer hash) {
        tree.append(hasher.leaf(ByteBuffers.of(hash)), writer);
        store.put(SIZE, ByteBuffer.allocate(Long.BYTES).putLong(tree.size()).array());
    }

    /**
     * Passes on the tiles that were completed since the last call, and forgets them.
     *
     * @param partition partition of the log
     * @param store store of the log
     */
    public static void publishCompleted(int partition, SortedStore<byte[]> store, Consumer<AuditTile> out) {
        List<String> published = new ArrayList<>();
        store.scan(TILE, (key, hashes) -> {
            int levelEnd = key.indexOf('|', TILE.length());
            int level = Integer.parseInt(key, TILE.length(), levelEnd, 10);
            long index = Long.parseLong(key, levelEnd + 1, key.length(), RADIX);
            out.accept(new AuditTile(partition, level, index, ByteBuffer.wrap(hashes)));
            published.add(key);
            return true;
        });
        published.forEach(store::delete);
    }

    /** The log as it was restored, before the first record is appended. */
    public RestoredLog restored() {
        Frontier head = store.get(HEAD)
                .map(ByteBuffer::wrap)
                .flatMap(AuditLog::frontier)
                .orElseGet(Frontier::new);
        return new RestoredLog(partition, tree.size(), root(), head);
    }

    /** Empty for bytes that this class did not write: they restore no head. */
    private static Optional<Frontier> frontier(ByteBuffer bytes) {
        long size = bytes.remaining() < Long.BYTES ? -1 : bytes.getLong();
        boolean valid = size >= 0
                && size <= MerkleHasher.MAX_SIZE
                && bytes.remaining() == Long.bitCount(size) * MerkleHasher.BYTES;
        if (!valid) {
            return Optional.empty();
        }
        List<byte[]> hashes = new ArrayList<>();
        while (bytes.hasRemaining()) {
            byte[] hash = new byte[MerkleHasher.BYTES];
            bytes.get(hash);
            hashes.add(hash);
        }
        return Optional.of(Frontier.of(size, hashes));
    }

    /** Remembers the tree for {@link #restored}, in the transaction of its head. */
    public void headPublished() {
        List<byte[]> hashes = tree.frontier().hashes();
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + hashes.size() * MerkleHasher.BYTES)
                .putLong(tree.size());
        hashes.forEach(bytes::put);
        store.put(HEAD, bytes.array());
    }

    /** Passes on the incomplete tiles. With the completed ones, they determine the tree. */
    public void publishEdge(Consumer<AuditTile> out) {
        for (int level = 0; level < Tile.LEVELS; level++) {
            byte[] hashes = tree.partial(level);
            if (hashes.length > 0) {
                out.accept(new AuditTile(partition, level, Tile.indexAt(level, tree.size()), ByteBuffer.wrap(hashes)));
            }
        }
    }
}
