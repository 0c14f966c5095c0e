package dev.parley.topology.analytics;

import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.PatchCount;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import dev.parley.topology.topics.StatisticRow;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * The kinds of counts, one for each topic of counts. All rows have the same form: start and end of the minute, texts as
 * dimensions, numbers as counts, and the flags {@code late} and {@code other}.
 */
public enum CountKind {
    /** Messages: {@code parley.traffic-1m.v1}. */
    TRAFFIC(TrafficCount::new),
    /** Decode errors, violations and warnings: {@code parley.violation-1m.v1}. */
    VIOLATION(ViolationCount::new),
    /** Messages between two agents: {@code parley.edge-1m.v1}. */
    EDGE(EdgeCount::new),
    /** Times from request to result: {@code parley.turnaround-1m.v1}. */
    TURNAROUND(TurnaroundCount::new),
    /** Patches: {@code parley.patch-1m.v1}. */
    PATCH(PatchCount::new),
    /** Changes of definitions: {@code parley.definition-change-1m.v1}. */
    DEFINITION(DefinitionChangeCount::new);

    private static final List<CountKind> KINDS = List.of(values());
    private final String prefix = name().toLowerCase(Locale.ROOT) + "|";
    private final Supplier<SpecificRecordBase> rows;
    private final List<String> dimensions;
    private final List<String> counts;

    CountKind(Supplier<SpecificRecordBase> rows) {
        this.rows = rows;
        Schema schema = rows.get().getSchema();
        this.dimensions = StatisticRow.dimensions(schema);
        this.counts = StatisticRow.measures(schema);
    }

    /** Prefix of the keys of this kind. */
    String prefix() {
        return prefix;
    }

    /** Names of the dimensions, in the order of the row's fields. */
    List<String> dimensions() {
        return dimensions;
    }

    SpecificRecordBase newRow() {
        return rows.get();
    }

    /**
     * Returns the kind of a key that {@link Dimensions#toKey} made. Any other key, which another client wrote, counts
     * as traffic until {@link Dimensions#parse} rejects it.
     */
    static CountKind of(String key) {
        for (CountKind kind : KINDS) {
            if (key.startsWith(kind.prefix)) {
                return kind;
            }
        }
        return TRAFFIC;
    }

    /** Merges two counts of this kind: sums, except for a maximum. */
    long[] merge(long[] one, long[] other) {
        long[] merged = new long[one.length];
        for (int i = 0; i < merged.length; i++) {
            merged[i] = StatisticRow.combine(counts.get(i), one[i], other[i]);
        }
        return merged;
    }
}
