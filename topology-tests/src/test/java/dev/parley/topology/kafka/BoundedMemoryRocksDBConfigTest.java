package dev.parley.topology.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.ParleyTopology;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

class BoundedMemoryRocksDBConfigTest {
    static {
        RocksDB.loadLibrary();
    }

    @ParameterizedTest
    @CsvSource({"512, 64", "768, 96", "1024, 128", "4096, 512", "4097, 512", "65536, 512"})
    void defaultIsAnEighthOfTheMemoryUpToAMaximum(long memoryMib, long bytesMib) {
        assertThat(BoundedMemoryRocksDBConfig.defaultBytes(memoryMib << 20)).isEqualTo(bytesMib << 20);
    }

    @Test
    void configuredValueIsUsed() {
        ParleyConfig config = new ParleyConfig(Map.of(ParleyConfig.STATE_MEMORY, 9L << 20));

        assertThat(ParleyTopology.config(config)).containsEntry(BoundedMemoryRocksDBConfig.CONFIG, 9L << 20);
        assertThat(StreamsSettings.outputReader(config, "views"))
                .containsEntry(BoundedMemoryRocksDBConfig.CONFIG, 9L << 20);
    }

    /** Each of many stores has a little in its buffer, which is far below the bound of all: nothing is written yet. */
    @Test
    void manySmallStoresFlushNoFilesAndReserveLittleDisk(@TempDir Path directory) throws Exception {
        BoundedMemoryRocksDBConfig.Shared memory = BoundedMemoryRocksDBConfig.Shared.of(128L << 20);
        List<AutoCloseable> open = new ArrayList<>();
        try {
            List<RocksDB> stores = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                Options options = new Options().setCreateIfMissing(true);
                options.setTableFormatConfig(new BlockBasedTableConfig());
                memory.applyTo(options);
                RocksDB store =
                        RocksDB.open(options, directory.resolve("store" + i).toString());
                stores.add(store);
                open.add(0, options);
                open.add(0, store);
            }
            for (int round = 0; round < 100; round++) {
                for (RocksDB store : stores) {
                    store.put(ByteBuffer.allocate(4).putInt(round).array(), new byte[100]);
                }
            }
            for (RocksDB store : stores) {
                assertThat(store.getLiveFilesMetaData()).isEmpty();
            }
            // Kafka Streams writes no write-ahead log.
            Process usage = new ProcessBuilder("sh", "-c", "du -ck store*/MANIFEST-* | tail -n 1")
                    .directory(directory.toFile())
                    .start();
            String kib = new String(usage.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\t")[0];
            assertThat(Integer.parseInt(kib)).isBetween(64, 64 * 100);
        } finally {
            for (AutoCloseable each : open) {
                each.close();
            }
        }
    }
}
