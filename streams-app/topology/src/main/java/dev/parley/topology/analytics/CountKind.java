package dev.parley.topology.analytics;

import java.util.List;
import java.util.function.Function;

/** The kinds of counts, one for each topic of counts. The prefix of a key names its kind; traffic keys have none. */
enum CountKind {
    /** Messages: {@code parley.traffic-1m.v1}. */
    TRAFFIC("", CountKind.NO_MAXIMUM, TrafficDimensions::of),
    /** Decode errors, violations and warnings: {@code parley.violation-1m.v1}. */
    VIOLATION("violation|", CountKind.NO_MAXIMUM, ViolationDimensions::of),
    /** Messages between two agents: {@code parley.edge-1m.v1}. */
    EDGE("edge|", CountKind.NO_MAXIMUM, EdgeDimensions::of),
    /** Times from request to result: {@code parley.turnaround-1m.v1}. */
    TURNAROUND("turnaround|", TurnaroundDimensions.MAX, TurnaroundDimensions::of),
    /** Patches: {@code parley.patch-1m.v1}. */
    PATCH("patch|", PatchDimensions.MAX, PatchDimensions::of),
    /** Changes of definitions: {@code parley.definition-change-1m.v1}. */
    DEFINITION("definition|", CountKind.NO_MAXIMUM, DefinitionDimensions::of);

    private static final int NO_MAXIMUM = -1;
    private static final List<CountKind> PREFIXED = List.of(VIOLATION, EDGE, TURNAROUND, PATCH, DEFINITION);

    private final String prefix;
    private final int maximum;
    private final Function<String, Dimensions> parser;

    CountKind(String prefix, int maximum, Function<String, Dimensions> parser) {
        this.prefix = prefix;
        this.maximum = maximum;
        this.parser = parser;
    }

    /** Prefix of the keys of this kind. No protocol has such a name, so no key of another kind begins with it. */
    String prefix() {
        return prefix;
    }

    /** Returns the kind of a key that {@link Dimensions#toKey} made. */
    static CountKind of(String key) {
        for (CountKind kind : PREFIXED) {
            if (key.startsWith(kind.prefix)) {
                return kind;
            }
        }
        return TRAFFIC;
    }

    /** Returns the dimensions in a key that {@link Dimensions#toKey} made. */
    static Dimensions dimensions(String key) {
        return of(key).parser.apply(key);
    }

    /** Merges two counts of this kind: sums, except for a maximum. */
    long[] merge(long[] one, long[] other) {
        long[] merged = new long[one.length];
        for (int i = 0; i < merged.length; i++) {
            merged[i] = i == maximum ? Math.max(one[i], other[i]) : one[i] + other[i];
        }
        return merged;
    }
}
