package dev.parley.load.process;

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
    /** Names of the columns of {@link #line}. */
    static final String HEADER = "seconds,messages,heap_mib,resident_mib,rocksdb_mib,non_heap_mib,threads";

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
