package dev.parley.state;

import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * The kind of the states of one protocol.
 *
 * @param name its public name, for example board
 * @param structure arranges the values of a state's entries, given by name, for its readers: strings, {@link Long
 *     longs}, null, lists, and maps in order
 */
public record StateKind(String name, Function<SortedMap<String, String>, Map<String, Object>> structure) {}
