package dev.parley.topology.setup;

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
 * One bound for the memory of all RocksDB instances of this process: there is one for each store and partition, and by
 * default each takes its own block cache and write buffers.
 */
public final class BoundedMemoryRocksDBConfig implements RocksDBConfigSetter {
    /** Where Kafka Streams is told the bound: a number of bytes, as {@link #bytes} gives it. */
    static final String CONFIG = "parley.state.memory.bytes";

    /** Says that the bound follows from the memory of the machine or container. */
    private static final long UNSET = -1;

    private static final long MOST_BY_ITSELF = 128L << 20;
    private static final int SHARE_OF_MEMORY = 8;
    private static final int SHARE_OF_BUFFERS = 4;

    /**
     * In what pieces a write buffer takes its memory. RocksDB takes 1 MiB by itself, at once: dozens of stores, each
     * with next to nothing in its buffer, were then always beyond the bound of all buffers, and wrote a file for every
     * few records.
     */
    private static final long ARENA_BLOCK_BYTES = 32 << 10;

    /** For the life of the process. */
    private static Shared shared;

    /** What instances share; RocksDB counts what each takes of it. */
    record Shared(Cache cache, WriteBufferManager buffers) {

        static Shared of(long bytes) {
            Cache cache = new LRUCache(bytes);
            return new Shared(cache, new WriteBufferManager(bytes / SHARE_OF_BUFFERS, cache));
        }

        /** Lets an instance with these options, which have a table format, take its memory from here. */
        void serve(Options options) {
            BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
            table.setBlockCache(cache);
            table.setCacheIndexAndFilterBlocks(true);
            table.setCacheIndexAndFilterBlocksWithHighPriority(true);
            table.setPinTopLevelIndexAndFilter(true);
            options.setWriteBufferManager(buffers);
            options.setArenaBlockSize(ARENA_BLOCK_BYTES);
            options.setTableFormatConfig(table);
        }
    }

    /** The bound in bytes: as configured, or an eighth of what the process may have, but not more than 128 MiB. */
    static long bytes(long configured) {
        if (configured != UNSET) {
            return configured;
        }
        OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return bytesOf(machine.getTotalMemorySize());
    }

    /**
     * What a process takes by itself that may have so much memory: the JVM tells a container's limit, where there is
     * one.
     */
    static long bytesOf(long memory) {
        return Math.min(MOST_BY_ITSELF, memory / SHARE_OF_MEMORY);
    }

    private static synchronized Shared shared(long bytes) {
        if (shared == null) {
            shared = Shared.of(bytes);
        }
        return shared;
    }

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        shared((Long) configs.get(CONFIG)).serve(options);
    }

    @Override
    public void close(String storeName, Options options) {
        // Nothing of this instance's own: cache and buffers belong to the process.
    }
}
