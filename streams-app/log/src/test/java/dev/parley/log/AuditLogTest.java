package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AuditTile;
import dev.parley.avro.LogPosition;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.Sha256;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.InclusionProof;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.TileReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the log in a store is the tree over all appended records, also after a restart at any record. */
class AuditLogTest {
    private final MemoryStore<byte[]> store = new MemoryStore<>();
    private final MerkleHasher hasher = new MerkleHasher();
    private final Frontier expected = new Frontier();
    private final Map<String, AuditTile> tiles = new HashMap<>();

    private static byte[] hash(long index) {
        return Sha256.of(ByteBuffer.allocate(Long.BYTES).putLong(index).array());
    }

    private void append(AuditLog log) {
        byte[] hash = hash(expected.size());
        expected.append(hasher.leaf(hash));
        log.append(ByteBuffer.wrap(hash));
    }

    private void accept(AuditTile tile) {
        tiles.put(tile.getLevel() + "/" + tile.getIndex(), tile);
    }

    @Test
    void anEmptyLogHasTheRootOfNoRecords() {
        AuditLog log = new AuditLog(3, store);
        assertThat(log.next()).isEqualTo(new LogPosition(3, 0L));
        assertThat(log.root()).isEqualTo(MerkleHasher.emptyRoot());
        assertThat(AuditLog.size(store)).isZero();
        log.publishEdge(this::accept);
        AuditLog.publishCompleted(3, store, this::accept);
        assertThat(tiles).isEmpty();
    }

    @Test
    void aLogRestoredAfterEveryRecordIsTheSameLog() {
        for (int i = 0; i < 600; i++) {
            append(new AuditLog(3, store));
            AuditLog restored = new AuditLog(3, store);
            assertThat(restored.root()).as("size %d", i + 1).isEqualTo(expected.root());
            assertThat(restored.next()).isEqualTo(new LogPosition(3, i + 1L));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537, 66_000})
    void thePublishedTilesProveEveryRecord(int size) throws Exception {
        AuditLog log = new AuditLog(3, store);
        for (int i = 0; i < size; i++) {
            append(log);
            if (i == size / 2) {
                AuditLog.publishCompleted(3, store, this::accept);
                log.publishEdge(this::accept);
            }
        }
        AuditLog.publishCompleted(3, store, this::accept);
        log.publishEdge(this::accept);
        TileReader reader = tile ->
                ByteBuffers.of(tiles.get(tile.level() + "/" + tile.index()).getHashes());
        for (long index : new long[] {0, size / 2, size - 1}) {
            assertThat(InclusionProof.of(index, size, reader).verify(hasher.leaf(hash(index)), log.root()))
                    .as("index %d of %d", index, size)
                    .isTrue();
        }
        assertThat(tiles.values()).extracting(AuditTile::getPartition).containsOnly(3);
    }

    @Test
    void aCompletedTileIsPublishedOnce() {
        AuditLog log = new AuditLog(3, store);
        for (int i = 0; i < 3 * 256 + 7; i++) {
            append(log);
        }
        List<Long> published = new ArrayList<>();
        AuditLog.publishCompleted(3, store, tile -> published.add(tile.getIndex()));
        assertThat(published).containsExactly(0L, 1L, 2L);
        AuditLog.publishCompleted(3, store, tile -> published.add(tile.getIndex()));
        assertThat(published).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        // Hashes of this tile and level, of the previous tile, and of level 1.
        "20, edge|0|0, 0 of level 0",
        "276, edge|0|0, 0 of level 0",
        "300, edge|0|1, 16 of level 0",
        "300, edge|1|0, 0 of level 1"
    })
    void aStoreWithoutHashesOfItsEdgeIsAnError(int size, String key, String hashes) {
        byte[] before = null;
        AuditLog log = new AuditLog(3, store);
        for (int i = 0; i < size; i++) {
            before = i == 200 ? store.get(key).orElse(null) : before;
            append(log);
        }
        byte[] chunk = store.get(key).orElseThrow();
        for (byte[] wrong : new byte[][] {null, before, new byte[7], Arrays.copyOf(chunk, chunk.length - 1)}) {
            store.delete(key);
            if (wrong != null) {
                store.put(key, wrong);
            }
            assertThatThrownBy(() -> new AuditLog(3, store))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the log of partition 3 with " + size + " records lacks its hashes from " + hashes);
        }
    }
}
