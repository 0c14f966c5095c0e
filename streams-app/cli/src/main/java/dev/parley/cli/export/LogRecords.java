package dev.parley.cli.export;

import dev.parley.avro.LogPosition;
import dev.parley.log.InputOffsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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

    /** The logs that have records in the set. */
    Set<Integer> partitions() {
        return logs.keySet();
    }

    /** The records of this set from the first to the last of another one in each log. */
    LogRecords within(LogRecords ranges) {
        LogRecords within = new LogRecords();
        ranges.logs.forEach((partition, range) -> {
            InputOffsets all = of(partition);
            for (long index = all.nextPresent(range.first()); index < range.end(); index = all.nextPresent(index + 1)) {
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
