package dev.parley.topology;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * One bound for the memory of all RocksDB instances of this process: there is one for each store and partition, and by default each takes its own block
 * cache and write buffers.
 */
public final class RocksMemory implements RocksDBConfigSetter {
    private static final long CACHE_BYTES = 128L << 20;
    private static final long WRITE_BUFFER_BYTES = 32L << 20;

    /** Shared by design, and for the life of the process: RocksDB counts what every instance takes of them. */
    private static final class Shared {
        static final Cache CACHE = new LRUCache(CACHE_BYTES);
        static final WriteBufferManager BUFFERS = new WriteBufferManager(WRITE_BUFFER_BYTES, CACHE);
    }

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(Shared.CACHE);
        table.setCacheIndexAndFilterBlocks(true);
        table.setCacheIndexAndFilterBlocksWithHighPriority(true);
        table.setPinTopLevelIndexAndFilter(true);
        options.setWriteBufferManager(Shared.BUFFERS);
        options.setTableFormatConfig(table);
    }

    @Override
    public void close(String storeName, Options options) {
        // Nothing of this instance's own: cache and buffers belong to the process.
    }
}
