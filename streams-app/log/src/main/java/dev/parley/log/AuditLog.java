package dev.parley.log;

import dev.parley.audit.RecordLog;
import dev.parley.avro.AuditTile;
import dev.parley.avro.LogPosition;
import dev.parley.checkpoint.SortedStore;
import dev.parley.checkpoint.UnreadableValueException;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.Tile;
import dev.parley.log.tlog.TileTree;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The log of one pipeline task: a Merkle tree over the hashes of its audit records, in the order of writing
 * (docs/audit.md). The store holds its right edge, the tiles that are complete but not published, and the tree of the
 * last published head. Not thread-safe.
 *
 * <p>The edge is stored in chunks of 16 hashes, each with the number of hashes of its level, so a record costs one
 * small write. Fewer and larger chunks would cost more per record, more and smaller ones more per commit.
 */
public final class AuditLog implements RecordLog {
    private static final String HEAD = "head";
    private static final String EDGE = "edge|";
    private static final String TILE = "tile|";

    /** Maximum number of hashes in a chunk. */
    private static final int CHUNK = 16;

    private static final String[][] CHUNK_KEYS = new String[Tile.LEVELS][Tile.WIDTH / CHUNK];

    static {
        for (int level = 0; level < Tile.LEVELS; level++) {
            for (int chunk = 0; chunk < Tile.WIDTH / CHUNK; chunk++) {
                CHUNK_KEYS[level][chunk] = EDGE + level + '|' + chunk;
            }
        }
    }

    private final int partition;
    private final SortedStore<byte[]> store;
    private final TileTree tree;
    private final MerkleHasher hasher = new MerkleHasher();
    private final TileTree.Listener writer = new TileTree.Listener() {
        @Override
        public void hashAppended(int level, long count, byte[] tile) {
            int slot = (int) (count - 1) & Tile.WIDTH - 1;
            int first = slot / CHUNK * CHUNK;
            int hashes = slot - first + 1;
            byte[] chunk = ByteBuffer.allocate(Long.BYTES + hashes * MerkleHasher.BYTES)
                    .putLong(count)
                    .put(tile, first * MerkleHasher.BYTES, hashes * MerkleHasher.BYTES)
                    .array();
            store.put(CHUNK_KEYS[level][slot / CHUNK], chunk);
        }

        @Override
        public void tileCompleted(Tile tile, byte[] hashes) {
            store.put(TILE + tile.level() + '|' + HexFormat.of().toHexDigits(tile.index()), hashes.clone());
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
        tree = TileTree.restore(size, (level, width) -> edge(level, width, size));
    }

    /** Reads the hashes of a partial tile in a log of this size. */
    private byte[] edge(int level, int width, long size) {
        long before = (size >>> Tile.HEIGHT * level) - width;
        ByteBuffer edge = ByteBuffer.allocate(width * MerkleHasher.BYTES);
        for (int first = 0; first < width; first += CHUNK) {
            int hashes = Math.min(CHUNK, width - first);
            byte[] chunk = store.get(CHUNK_KEYS[level][first / CHUNK]).orElse(new byte[0]);
            if (chunk.length != Long.BYTES + hashes * MerkleHasher.BYTES || count(chunk) != before + first + hashes) {
                throw new IllegalStateException("the log of partition " + partition + " with " + size
                        + " records lacks its hashes from " + first + " of level " + level);
            }
            edge.put(chunk, Long.BYTES, hashes * MerkleHasher.BYTES);
        }
        return edge.array();
    }

    /** Number of hashes of the level of a chunk; 0 for bytes that are no chunk. */
    private static long count(byte[] chunk) {
        return chunk.length < Long.BYTES ? 0 : ByteBuffer.wrap(chunk).getLong();
    }

    /** Key of a tile in its topic. */
    public static String tileKey(int partition, int level, long index) {
        return partition + "/" + level + "/" + index;
    }

    /**
     * Number of records of the log in a store.
     *
     * @throws UnreadableValueException if a chunk that may be the last one is unreadable
     */
    public static long size(SortedStore<byte[]> store) {
        long size = 0;
        for (String key : CHUNK_KEYS[0]) {
            try {
                size = Math.max(size, store.get(key).map(AuditLog::count).orElse(0L));
            } catch (UnreadableValueException e) {
                // Not the last one, or the next one below.
            }
        }
        if (size % CHUNK == 0) {
            // The last readable chunk is full, so the next one may have the last records.
            store.get(CHUNK_KEYS[0][(int) (size % Tile.WIDTH) / CHUNK]);
        }
        return size;
    }

    @Override
    public LogPosition next() {
        return new LogPosition(partition, tree.size());
    }

    /** Root of the tree, 32 bytes. */
    public byte[] root() {
        return tree.frontier().root();
    }

    @Override
    public void append(ByteBuffer hash) {
        tree.append(hasher.leaf(ByteBuffers.of(hash)), writer);
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
            published.add(key);
            AuditTile tile;
            try {
                int levelEnd = key.indexOf('|', TILE.length());
                int level = Integer.parseInt(key, TILE.length(), levelEnd, 10);
                long index = HexFormat.fromHexDigitsToLong(key, levelEnd + 1, key.length());
                tile = new AuditTile(partition, level, index, ByteBuffer.wrap(hashes));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                // Another client wrote it.
                return true;
            }
            out.accept(tile);
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
        try {
            long size = bytes.getLong();
            List<byte[]> hashes = new ArrayList<>();
            while (bytes.hasRemaining()) {
                byte[] hash = new byte[MerkleHasher.BYTES];
                bytes.get(hash);
                hashes.add(hash);
            }
            return Optional.of(Frontier.of(size, hashes));
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return Optional.empty();
        }
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
