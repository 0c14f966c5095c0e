package dev.parley.topology.kafka;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * Bounds the memory of all RocksDB instances of this process with one shared block cache and write buffer manager. By
 * default, the instance of each store and partition takes its own.
 */
public final class BoundedMemoryRocksDBConfig implements RocksDBConfigSetter {
    /** Key of the bound in the Kafka Streams settings: a number of bytes from {@link #bytes}. */
    static final String CONFIG = "parley.state.memory.bytes";

    /** Configured value that derives the bound from the memory of the machine or container. */
    private static final long UNSET = -1;

    private static final long MAX_DEFAULT_BYTES = 512L << 20;
    private static final int MEMORY_DIVISOR = 8;
    private static final int BUFFER_DIVISOR = 4;

    /**
     * Allocation unit of a write buffer. With RocksDB's default of 1 MiB, dozens of nearly empty buffers would exceed
     * the bound together, and each store would flush a file every few records.
     */
    private static final long ARENA_BLOCK_BYTES = 32 << 10;

    /** Disk that each store reserves for its list of files; 4 MiB by RocksDB's default. */
    private static final long MANIFEST_BYTES = 64 << 10;

    private static Shared shared;

    /** Block cache and write buffer manager of all RocksDB instances. */
    record Shared(Cache cache, WriteBufferManager buffers) {

        static Shared of(long bytes) {
            Cache cache = new LRUCache(bytes);
            return new Shared(cache, new WriteBufferManager(bytes / BUFFER_DIVISOR, cache));
        }

        /** Makes an instance with these options use the shared memory. */
        void applyTo(Options options) {
            BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
            table.setBlockCache(cache);
            table.setCacheIndexAndFilterBlocks(true);
            table.setCacheIndexAndFilterBlocksWithHighPriority(true);
            table.setPinTopLevelIndexAndFilter(true);
            options.setWriteBufferManager(buffers);
            options.setArenaBlockSize(ARENA_BLOCK_BYTES);
            options.setManifestPreallocationSize(MANIFEST_BYTES);
            options.setTableFormatConfig(table);
        }
    }

    /** Returns the bound in bytes: as configured, or the default for the memory of the machine or container. */
    static long bytes(long configured) {
        if (configured != UNSET) {
            return configured;
        }
        OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return defaultBytes(machine.getTotalMemorySize());
    }

    /** Returns the default bound: an eighth of the available memory, at most 512 MiB. */
    static long defaultBytes(long memory) {
        return Math.min(MAX_DEFAULT_BYTES, memory / MEMORY_DIVISOR);
    }

    private static synchronized Shared shared(long bytes) {
        if (shared == null) {
            shared = Shared.of(bytes);
        }
        return shared;
    }

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        shared((Long) configs.get(CONFIG)).applyTo(options);
    }

    @Override
    public void close(String storeName, Options options) {
        // Nothing to close: cache and buffers belong to the process.
    }
}
