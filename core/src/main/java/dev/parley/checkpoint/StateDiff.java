package dev.parley.checkpoint;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How one state differs from another, each part ordered by name.
 *
 * @param added names that only the second state has, with their values
 * @param changed names whose values differ
 * @param removed names that only the first state has, with their values
 */
public record StateDiff(
        SortedMap<String, String> added, SortedMap<String, Change> changed, SortedMap<String, String> removed) {

    /**
     * A value that differs.
     *
     * @param before the value in the first state
     * @param after the value in the second state
     */
    public record Change(String before, String after) {}

    /** The difference that leads from one state to another. */
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

    /** Whether the states are equal. */
    public boolean isEmpty() {
        return added.isEmpty() && changed.isEmpty() && removed.isEmpty();
    }
}
