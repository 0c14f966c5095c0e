package dev.parley.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.load.process.ParleyProcess;
import java.io.IOException;
import java.util.Locale;

/**
 * Measurements at one point in time.
 *
 * @param seconds time since the start
 * @param messages messages with an outcome
 * @param heapMiB Java heap in use after a full collection
 * @param residentMiB resident memory of the process: heap, RocksDB, code, stacks
 * @param rocksMiB memory that RocksDB reports for caches, write buffers and other uses
 * @param nonHeapMiB JVM memory outside the heap for classes and code
 * @param threads live threads
 */
record Sample(
        double seconds,
        long messages,
        double heapMiB,
        double residentMiB,
        double rocksMiB,
        double nonHeapMiB,
        int threads) {
    private static final double MIB = 1 << 20;

    /** Names of the columns of {@link #line}. */
    static final String HEADER = "seconds,messages,heap_mib,resident_mib,rocksdb_mib,non_heap_mib,threads";

    /** Takes a sample after a full garbage collection. */
    static Sample take(ParleyProcess parley, double seconds, long messages) throws IOException, InterruptedException {
        parley.process().collectGarbage();
        Exposition metrics = Exposition.of(new String(parley.client().bytes("/metrics"), UTF_8));
        // All stores share the cache and the write buffers, so every store reports the same values; readers' memory is
        // separate.
        double rocks =
                metrics.values("kafka_stream_state_block_cache_usage").max().orElse(0)
                        + metrics.values("kafka_stream_state_estimate_table_readers_mem")
                                .sum();
        return new Sample(
                seconds,
                messages,
                metrics.values("jvm_memory_used_bytes", "area=\"heap\"").sum() / MIB,
                parley.process().residentMiB(),
                rocks / MIB,
                metrics.values("jvm_memory_used_bytes", "area=\"nonheap\"").sum() / MIB,
                (int) metrics.values("jvm_threads_live_threads").sum());
    }

    /** The values, separated by commas. */
    String line() {
        return String.format(
                Locale.ROOT,
                "%.0f,%d,%.1f,%.1f,%.1f,%.1f,%d",
                seconds,
                messages,
                heapMiB,
                residentMiB,
                rocksMiB,
                nonHeapMiB,
                threads);
    }
}
