package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditTile;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.Sha256;
import dev.parley.log.AuditLog;
import dev.parley.log.tlog.InclusionProof;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.Tile;
import dev.parley.log.tlog.TileReader;
import dev.parley.log.tlog.TreeHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tiles of a log. A log of three levels is too large for messages: its records do not pass the pipeline. */
class LogTilesTest {
    private static final Duration INTERVAL = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    /** 256 records complete a tile, 65,536 the first of the next level. */
    @Test
    void tilesOfThreeLevelsProveEveryRecord() throws Exception {
        try (PipelineDriver pipeline = PipelineDriver.in(directory, Map.of())) {
            tilesProve(pipeline);
        }
    }

    @Test
    void aCompleteTileIsPublishedWithItsLastRecordAndNotStored() {
        try (PipelineDriver pipeline = PipelineDriver.in(directory, Map.of())) {
            for (int i = 1; i < Tile.WIDTH; i++) {
                pipeline.send(InputRecord.slipRequest(i, 1));
            }
            assertThat(pipeline.tiles()).isEmpty();
            pipeline.send(InputRecord.slipRequest(Tile.WIDTH, 1));
            assertThat(pipeline.tiles()).extracting(TestRecord::key).containsExactly("0/0/0");
            List<String> stored = new ArrayList<>();
            try (KeyValueIterator<Bytes, byte[]> entries =
                    pipeline.bytesOf(PipelineStores.LOG).all()) {
                entries.forEachRemaining(entry -> stored.add(entry.key.toString()));
            }
            assertThat(stored).hasSize(Tile.WIDTH / 16 + 1).noneMatch(key -> key.startsWith("tile"));
        }
    }

    private static void tilesProve(PipelineDriver pipeline) throws IOException {
        int size = Tile.WIDTH * Tile.WIDTH + Tile.WIDTH + 44;
        AuditLog log = pipeline.log();
        ByteBuffer[] hashes = new ByteBuffer[size];
        for (int i = 0; i < size; i++) {
            hashes[i] = ByteBuffer.wrap(Sha256.of(("record " + i).getBytes(StandardCharsets.UTF_8)));
            log.append(hashes[i]);
        }
        pipeline.waitFor(Duration.ofSeconds(1));

        int published = pipeline.tiles().size();
        assertThat(published)
                .as("complete tiles of levels 0 and 1, and the incomplete one of each level")
                .isEqualTo(Tile.WIDTH + 1 + 1 + 3);
        Map<String, AuditTile> tiles = new HashMap<>();
        pipeline.tiles().forEach(tile -> tiles.put(tile.key(), tile.value()));
        assertThat(tiles.keySet()).contains("0/0/0", "0/0/257", "0/1/0", "0/1/1", "0/2/0");
        TreeHead head = LogTrees.treeHead(
                pipeline.heads().get(pipeline.heads().size() - 1).value());
        assertThat(head.size()).isEqualTo(size);
        TileReader reader = tile -> {
            ByteBuffer stored =
                    tiles.get("0/" + tile.level() + "/" + tile.index()).getHashes();
            return Arrays.copyOf(ByteBuffers.of(stored), tile.width() * MerkleHasher.BYTES);
        };
        for (int index : new int[] {0, 1, 255, 256, 65_535, 65_536, 65_791, 65_792, size - 1}) {
            assertThat(InclusionProof.of(index, size, reader)
                            .verify(new MerkleHasher().leaf(ByteBuffers.of(hashes[index])), head.root()))
                    .as("record %d", index)
                    .isTrue();
        }
        pipeline.waitFor(INTERVAL);
        assertThat(pipeline.tiles()).as("nothing is published twice").hasSize(published);
    }
}
