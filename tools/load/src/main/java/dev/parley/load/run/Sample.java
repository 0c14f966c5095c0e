package dev.parley.load.run;

import dev.parley.load.process.ParleyProcess;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Measurements at one point in time.
 *
 * @param seconds time since the start
 * @param messages messages with an outcome
 * @param measures memory by kind in MiB, and the number of live threads
 */
record Sample(double seconds, long messages, Map<String, Double> measures) {
    private static final double MIB = 1 << 20;

    /** Takes a sample after a full garbage collection. */
    static Sample take(ParleyProcess parley, double seconds, long messages) throws IOException, InterruptedException {
        parley.process().collectGarbage();
        Exposition metrics = Exposition.of(parley);
        // All stores share the cache and the write buffers, so every store reports the same values; readers' memory is
        // separate.
        double rocks =
                metrics.values("kafka_stream_state_block_cache_usage").max().orElse(0)
                        + metrics.values("kafka_stream_state_estimate_table_readers_mem")
                                .sum();
        Map<String, Double> measures = new LinkedHashMap<>();
        measures.put("heap after a full collection (MiB)", metrics.sum("jvm_memory_used_bytes", "area=\"heap\"") / MIB);
        measures.put("resident memory of the process (MiB)", parley.process().residentMiB());
        measures.put("RocksDB (MiB)", rocks / MIB);
        measures.put("outside the heap (MiB)", metrics.sum("jvm_memory_used_bytes", "area=\"nonheap\"") / MIB);
        measures.put("threads", metrics.sum("jvm_threads_live_threads"));
        return new Sample(seconds, messages, measures);
    }

    /** The names of the columns, separated by commas. */
    String head() {
        return "seconds,messages," + String.join(",", measures.keySet());
    }

    /** The values, separated by commas. */
    String line() {
        return String.format(Locale.ROOT, "%.0f,%d,", seconds, messages)
                + measures.values().stream()
                        .map(value -> String.format(Locale.ROOT, "%.1f", value))
                        .collect(Collectors.joining(","));
    }
}
