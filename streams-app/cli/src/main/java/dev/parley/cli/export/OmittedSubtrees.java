package dev.parley.cli.export;

import dev.parley.avro.AuditTile;
import dev.parley.avro.OmittedRecords;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.AuditFault;
import dev.parley.log.AuditLog;
import dev.parley.log.FaultCode;
import dev.parley.log.InputOffsets;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.Tile;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Topic;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Consumer;

/**
 * The hashes that stand for all records of the audit log outside a set, read from the published tiles. Memory grows
 * with the number of runs of such records.
 */
public final class OmittedSubtrees {
    private final List<OmittedRecords> subtrees = new ArrayList<>();
    private final Map<String, List<OmittedRecords>> byTile = new HashMap<>();
    private final MerkleHasher hasher = new MerkleHasher();

    private OmittedSubtrees() {}

    /**
     * Finds the hashes.
     *
     * @param sizes sizes of each log at which a verifier needs the root, up to its number of records
     * @param present records that need no hash
     * @param faults takes a fault for each hash that no tile has
     */
    public static List<OmittedRecords> read(
            Map<Integer, SortedSet<Long>> sizes,
            LogRecords present,
            TopicReader reader,
            Topic<String, AuditTile> tiles,
            Consumer<AuditFault> faults) {
        OmittedSubtrees omitted = new OmittedSubtrees();
        sizes.forEach((partition, ofLog) -> {
            long begin = 0;
            for (long size : ofLog) {
                omitted.divide(partition, begin, size, present.of(partition));
                begin = size;
            }
        });
        if (omitted.subtrees.isEmpty()) {
            return List.of();
        }
        reader.readAll(tiles.name(), record -> {
            List<OmittedRecords> wanted = omitted.byTile.get(TopicReader.key(record));
            if (wanted != null) {
                // A hash that no readable tile has is reported below.
                RecordValues.read(tiles, record, fault -> {}).ifPresent(tile -> omitted.accept(tile, wanted));
            }
        });
        List<OmittedRecords> found = new ArrayList<>(omitted.subtrees.size());
        for (OmittedRecords subtree : omitted.subtrees) {
            if (subtree.getHash().hasRemaining()) {
                found.add(subtree);
            } else {
                faults.accept(FaultCode.LOG_GAP.fault("the tiles of partition " + subtree.getPartition()
                        + " have no hash for index " + subtree.getIndex() + ", level " + subtree.getLevel()));
            }
        }
        return found;
    }

    /** Divides the absent records of a part of a log into perfect subtrees. */
    private void divide(int partition, long begin, long size, InputOffsets present) {
        long from = present.nextAbsent(begin);
        while (from < size) {
            long to = Math.min(size, present.nextPresent(from));
            while (from < to) {
                int level = Frontier.levelAt(from, to);
                OmittedRecords subtree = new OmittedRecords(partition, from, level, ByteBuffer.allocate(0));
                subtrees.add(subtree);
                byTile.computeIfAbsent(tile(subtree), key -> new ArrayList<>(1)).add(subtree);
                from += 1L << level;
            }
            from = present.nextAbsent(to);
        }
    }

    /** Key of the tile that has the hashes below a subtree. */
    private static String tile(OmittedRecords subtree) {
        int level = subtree.getLevel() / Tile.HEIGHT;
        return AuditLog.tileKey(subtree.getPartition(), level, Tile.indexAt(level, subtree.getIndex()));
    }

    private void accept(AuditTile tile, List<OmittedRecords> wanted) {
        byte[] hashes = ByteBuffers.of(tile.getHashes());
        for (OmittedRecords subtree : wanted) {
            int first = (int) (subtree.getIndex() >>> Tile.HEIGHT * tile.getLevel()) & Tile.WIDTH - 1;
            int count = 1 << subtree.getLevel() % Tile.HEIGHT;
            boolean same = tile.getPartition() == subtree.getPartition()
                    && tile.getLevel() == subtree.getLevel() / Tile.HEIGHT
                    && tile.getIndex() == Tile.indexAt(tile.getLevel(), subtree.getIndex());
            if (same && (first + count) * MerkleHasher.BYTES <= hashes.length) {
                subtree.setHash(ByteBuffer.wrap(hasher.perfectRoot(hashes, first, count)));
            }
        }
    }
}
