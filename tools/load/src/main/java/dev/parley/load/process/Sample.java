package dev.parley.load.process;

import java.util.List;
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
 * @param stateMiB size of the state directory
 */
public record Sample(
        double seconds,
        long messages,
        double heapMiB,
        double residentMiB,
        double rocksMiB,
        double nonHeapMiB,
        int threads,
        double stateMiB) {
    /** Names of the columns of {@link #line}. */
    public static final String HEADER =
            "seconds,messages,heap_mib,resident_mib,rocksdb_mib,non_heap_mib,threads,state_mib";

    /** The values, separated by commas. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "%.0f,%d,%.1f,%.1f,%.1f,%.1f,%d,%.0f",
                seconds,
                messages,
                heapMiB,
                residentMiB,
                rocksMiB,
                nonHeapMiB,
                threads,
                stateMiB);
    }

    public static Sample parse(String line) {
        String[] fields = line.split(",", -1);
        return new Sample(
                Double.parseDouble(fields[0]),
                Long.parseLong(fields[1]),
                Double.parseDouble(fields[2]),
                Double.parseDouble(fields[3]),
                Double.parseDouble(fields[4]),
                Double.parseDouble(fields[5]),
                Integer.parseInt(fields[6]),
                Double.parseDouble(fields[7]));
    }

    public static List<Sample> parse(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.isBlank() && !line.equals(HEADER))
                .map(Sample::parse)
                .toList();
    }
}
