package dev.parley.cli.export;

import dev.parley.audit.InputOffsets;
import dev.parley.avro.LogPosition;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** A set of records of the audit log: one bit per record at most. Not thread-safe. */
public final class LogRecords {
    private final Map<Integer, InputOffsets> logs = new TreeMap<>();

    /** Adds a record. An impossible index, which no log of Parley reaches, is ignored. */
    public void add(LogPosition position) {
        add(position.getPartition(), position.getIndex());
    }

    void add(int partition, long index) {
        if (InputOffsets.isPossible(index)) {
            logs.computeIfAbsent(partition, number -> new InputOffsets()).add(index);
        }
    }

    /** Whether the set contains a record. */
    public boolean has(LogPosition position) {
        InputOffsets log = logs.get(position.getPartition());
        return log != null && InputOffsets.isPossible(position.getIndex()) && log.has(position.getIndex());
    }

    /** The indexes of one log. */
    InputOffsets of(int partition) {
        return logs.getOrDefault(partition, new InputOffsets());
    }

    /** The records of this set in the ranges of indexes of another one, below a size for each log. */
    LogRecords within(LogRecords ranges, ToLongFunction<Integer> sizes) {
        LogRecords within = new LogRecords();
        ranges.logs.forEach((partition, range) -> {
            InputOffsets all = of(partition);
            long end = Math.min(range.end(), sizes.applyAsLong(partition));
            for (long index = all.nextPresent(range.first()); index < end; index = all.nextPresent(index + 1)) {
                within.add(partition, index);
            }
        });
        return within;
    }

    /** Whether this set lacks a record between the first and the last one of a log. */
    boolean hasHoles() {
        return logs.values().stream().anyMatch(log -> log.end() - log.first() != log.count());
    }
}
