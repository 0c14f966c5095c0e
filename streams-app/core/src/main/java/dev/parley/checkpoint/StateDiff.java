package dev.parley.checkpoint;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Difference between two states, each part sorted by name.
 *
 * @param added names only in the second state, with their values
 * @param changed names with different values
 * @param removed names only in the first state, with their values
 */
public record StateDiff(
        SortedMap<String, String> added, SortedMap<String, Change> changed, SortedMap<String, String> removed) {

    /**
     * A changed value.
     *
     * @param before value in the first state
     * @param after value in the second state
     */
    public record Change(String before, String after) {}

    /** Returns the difference from the first state to the second. */
    public static StateDiff between(Map<String, String> before, Map<String, String> after) {
        SortedMap<String, String> added = new TreeMap<>();
        SortedMap<String, Change> changed = new TreeMap<>();
        SortedMap<String, String> removed = new TreeMap<>();
        after.forEach((name, value) -> {
            String old = before.get(name);
            if (old == null) {
                added.put(name, value);
            } else if (!old.equals(value)) {
                changed.put(name, new Change(old, value));
            }
        });
        before.forEach((name, value) -> {
            if (!after.containsKey(name)) {
                removed.put(name, value);
            }
        });
        return new StateDiff(
                Collections.unmodifiableSortedMap(added),
                Collections.unmodifiableSortedMap(changed),
                Collections.unmodifiableSortedMap(removed));
    }
}
