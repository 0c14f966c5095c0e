package dev.parley.dialogue;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Bounds what is remembered of one conversation by its size, beside its number of entries: agents choose the names of
 * tasks and definitions, and the state is one record, which must not outgrow what a broker takes. Beyond {@value #MOST}
 * bytes of a kind the oldest entries go first, of CSP tasks the closed ones, as they do beyond the number. An entry
 * that is larger by itself is not remembered.
 */
public final class StateBytes {
    /** Most bytes of names and values of the entries of one kind: tasks, lanes, pending items, definitions. */
    public static final int MOST = 1 << 20;

    /** What a character may take in UTF-8. */
    private static final int BYTES_PER_CHARACTER = 3;

    /** Bytes of a hash. */
    public static final int HASH = 34;

    private StateBytes() {}

    /** Bytes that a text takes at most; 0 for null. */
    public static int of(String text) {
        return text == null ? 0 : BYTES_PER_CHARACTER * text.length();
    }

    /** As many of the last entries as fit, those that are wanted before the others; the same list when all fit. */
    public static <E> List<E> newest(List<E> entries, ToIntFunction<E> bytes, Predicate<E> wanted) {
        long sum = 0;
        for (int i = 0; i < entries.size(); i++) {
            sum += bytes.applyAsInt(entries.get(i));
        }
        if (sum <= MOST) {
            return entries;
        }
        boolean[] kept = new boolean[entries.size()];
        long room = fill(MOST, entries, bytes, wanted, kept);
        fill(room, entries, bytes, wanted.negate(), kept);
        return IntStream.range(0, kept.length)
                .filter(i -> kept[i])
                .mapToObj(entries::get)
                .toList();
    }

    /**
     * Marks the last entries of a sort as far as they fit; answers what room is left, and none when one did not fit.
     */
    private static <E> long fill(
            long room, List<E> entries, ToIntFunction<E> bytes, Predicate<E> sort, boolean[] kept) {
        long left = room;
        for (int i = entries.size() - 1; i >= 0; i--) {
            int size = bytes.applyAsInt(entries.get(i));
            if (sort.test(entries.get(i)) && size <= MOST) {
                if (size > left) {
                    return 0;
                }
                left -= size;
                kept[i] = true;
            }
        }
        return left;
    }
}
