package dev.parley.state;

import dev.parley.avro.Protocol;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * The kind of the states of one protocol.
 *
 * @param name its public name, for example board
 * @param structure arranges the values of a state's entries, given by name, for its readers
 */
public record StateKind(String name, Function<SortedMap<String, String>, StateValue.Fields> structure) {

    /** CSP: values of definitions by name. */
    private static final StateKind DEFINITIONS = new StateKind(
            "definitions", entries -> new StateValue.Fields(Map.of("definitions", StateValue.Fields.of(entries))));

    /**
     * The kind of a protocol's states.
     *
     * @throws IllegalArgumentException for UNKNOWN
     */
    public static StateKind of(Protocol protocol) {
        return switch (protocol) {
            case CSP -> DEFINITIONS;
            case SLIP -> SlipChanges.BOARD;
            case SUBIT -> SubitChanges.FORMS;
            case LAMBDA -> LambdaChanges.TERMS;
            case UNKNOWN -> throw new IllegalArgumentException("there are no states of " + protocol);
        };
    }
}
