package dev.parley.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value in the structure of a state, see {@link StateKind}. */
public sealed interface StateValue {

    /** A text. */
    record Text(String text) implements StateValue {}

    /** An integer. */
    record Whole(long number) implements StateValue {}

    /** The absence of a value. */
    record Absent() implements StateValue {}

    /** Values by name, in order. */
    record Fields(Map<String, StateValue> values) implements StateValue {

        public Fields {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        /** Texts by name, in the order of the map. */
        public static Fields of(Map<String, String> texts) {
            Map<String, StateValue> values = new LinkedHashMap<>();
            texts.forEach((name, text) -> values.put(name, new Text(text)));
            return new Fields(values);
        }
    }

    /** Values in order. */
    record Items(List<StateValue> values) implements StateValue {

        public Items {
            values = List.copyOf(values);
        }
    }
}
