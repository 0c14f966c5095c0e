package dev.parley.dialogue;

import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Bounds the size of stored conversation state in bytes, in addition to the number of entries. Each message writes the
 * state of its conversation, so the state is small, and agents choose its texts.
 */
public final class StateBytes {
    /** Maximum bytes of the entries of one kind in a state: recent tasks and definitions, lanes, pending items. */
    public static final int MAX_STATE = 1 << 10;

    /** Maximum bytes of the tasks or definitions of a conversation that have records of their own. */
    public static final int MAX_BYTES = 1 << 20;

    /** Bytes of a hash and its length. */
    public static final int HASH = 34;

    private StateBytes() {}

    /** Bytes of a text in UTF-8; 0 for null. */
    public static int of(String text) {
        if (text == null) {
            return 0;
        }
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // Each surrogate counts two of the four bytes of its pair.
                length += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return length;
    }

    /** Returns the last entries with {@value #MAX_STATE} bytes at most; the same list if all fit. */
    public static <E> List<E> newest(List<E> entries, ToIntFunction<E> bytes) {
        int sum = 0;
        for (int i = entries.size() - 1; i >= 0; i--) {
            sum += bytes.applyAsInt(entries.get(i));
            if (sum > MAX_STATE) {
                return List.copyOf(entries.subList(i + 1, entries.size()));
            }
        }
        return entries;
    }
}
