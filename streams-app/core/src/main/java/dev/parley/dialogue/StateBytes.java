package dev.parley.dialogue;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Bounds the size of stored conversation state in bytes, in addition to the number of entries. Agents choose the names
 * of tasks and definitions, and a state is one record within the broker's size limit. Beyond {@value #MAX_BYTES} bytes
 * of one kind, the oldest entries are removed first (closed CSP tasks before open ones). A larger single entry is not
 * stored.
 */
public final class StateBytes {
    /** Maximum bytes of the entries of one kind: tasks, older tasks, lanes, pending items, definitions. */
    public static final int MAX_BYTES = 1 << 20;

    /** Maximum bytes of a character in UTF-8. */
    private static final int BYTES_PER_CHARACTER = 3;

    /** Bytes of a hash and its length. */
    public static final int HASH = 34;

    private StateBytes() {}

    /** Maximum bytes of a text; 0 for null. */
    public static int of(String text) {
        return text == null ? 0 : BYTES_PER_CHARACTER * text.length();
    }

    /** Returns the last entries within the bound, preferred ones before the others; the same list if all fit. */
    public static <E> List<E> newest(List<E> entries, ToIntFunction<E> bytes, Predicate<E> preferred) {
        long sum = 0;
        for (int i = 0; i < entries.size(); i++) {
            sum += bytes.applyAsInt(entries.get(i));
        }
        if (sum <= MAX_BYTES) {
            return entries;
        }
        boolean[] selected = new boolean[entries.size()];
        long room = fill(MAX_BYTES, entries, bytes, preferred, selected);
        fill(room, entries, bytes, preferred.negate(), selected);
        return IntStream.range(0, selected.length)
                .filter(i -> selected[i])
                .mapToObj(entries::get)
                .toList();
    }

    /** Marks the last matching entries that fit. Returns the remaining room; 0 if one did not fit. */
    private static <E> long fill(
            long room, List<E> entries, ToIntFunction<E> bytes, Predicate<E> matching, boolean[] selected) {
        long remaining = room;
        for (int i = entries.size() - 1; i >= 0; i--) {
            int size = bytes.applyAsInt(entries.get(i));
            if (matching.test(entries.get(i)) && size <= MAX_BYTES) {
                if (size > remaining) {
                    return 0;
                }
                remaining -= size;
                selected[i] = true;
            }
        }
        return remaining;
    }
}
