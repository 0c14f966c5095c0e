package dev.parley.topology.traffic;

import java.util.function.Function;

/** The kinds of counts, one for each topic. The prefix of a key names its kind; traffic keys have none. */
enum CountKind {
    /** Messages: {@code parley.traffic-1m.v1}. */
    TRAFFIC("", TrafficDimensions::of),
    /** Decode errors, violations and warnings: {@code parley.violation-1m.v1}. */
    VIOLATION("violation|", ViolationDimensions::of),
    /** Messages between two agents: {@code parley.edge-1m.v1}. */
    EDGE("edge|", EdgeDimensions::of);

    private final String prefix;
    private final Function<String, Dimensions> parser;

    CountKind(String prefix, Function<String, Dimensions> parser) {
        this.prefix = prefix;
        this.parser = parser;
    }

    /** Prefix of the keys of this kind. No protocol has such a name, so no key of another kind begins with it. */
    String prefix() {
        return prefix;
    }

    /** Returns the kind of a key that {@link Dimensions#toKey} made. */
    static CountKind of(String key) {
        if (key.startsWith(VIOLATION.prefix)) {
            return VIOLATION;
        }
        return key.startsWith(EDGE.prefix) ? EDGE : TRAFFIC;
    }

    /** Returns the dimensions in a key that {@link Dimensions#toKey} made. */
    static Dimensions dimensions(String key) {
        return of(key).parser.apply(key);
    }
}
