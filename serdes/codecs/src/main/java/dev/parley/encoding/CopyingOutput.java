package dev.parley.encoding;

import java.util.Collection;
import java.util.List;

/**
 * A buffer that encodes the first long list of a record by copying the elements that it shares with an earlier
 * encoding, so that a small change of a large state costs little more than a copy of its bytes. Elements are the same
 * only if they are the same object, which must not change. Not thread-safe.
 */
public final class CopyingOutput extends ByteOutput {
    /** A shorter list is encoded as usual. */
    static final int MIN_ELEMENTS = 16;

    /** Number of removed elements in one place after which the following ones are still found. */
    private static final int MAX_REMOVED = 4;

    private EncodedElements before;
    private List<?> items;
    private int[] positions;

    /** Creates an empty buffer. */
    public CopyingOutput(int capacity) {
        super(capacity);
    }

    /**
     * Sets the encoding from which the next record is copied.
     *
     * @param earlier its long list; null to copy nothing
     */
    public void copyFrom(EncodedElements earlier) {
        before = earlier;
        items = null;
        positions = null;
    }

    /**
     * Returns the long list of the record.
     *
     * @param encoding the bytes of this buffer
     * @return null if the record has no long list
     */
    public EncodedElements elements(byte[] encoding) {
        return items == null ? null : new EncodedElements(items, positions, encoding);
    }

    @Override
    void elements(Collection<?> values, ValueEncoder element) {
        if (items != null || values.size() < MIN_ELEMENTS || !(values instanceof List<?> list)) {
            super.elements(values, element);
            return;
        }
        // Lists within the elements are encoded as usual.
        items = list;
        positions = new int[list.size() + 1];
        int shared = 0;
        int i = 0;
        while (i < list.size()) {
            shared = find(list.get(i), shared);
            int run = before == null ? 0 : run(i, shared);
            if (run == 0) {
                positions[i] = length();
                element.encode(list.get(i), this);
                i++;
            } else {
                copy(i, shared, run);
                i += run;
                shared += run;
            }
        }
        positions[list.size()] = length();
    }

    /** Returns the index of an element in the earlier list, from an index on; that index if it is not found soon. */
    private int find(Object element, int from) {
        if (before != null) {
            int end = Math.min(before.items().size(), from + MAX_REMOVED + 1);
            for (int i = from; i < end; i++) {
                if (before.items().get(i) == element) {
                    return i;
                }
            }
        }
        return from;
    }

    /** Number of elements from two indexes on that are the same in both lists. */
    private int run(int index, int earlier) {
        int run = 0;
        while (index + run < items.size()
                && earlier + run < before.items().size()
                && items.get(index + run) == before.items().get(earlier + run)) {
            run++;
        }
        return run;
    }

    private void copy(int index, int earlier, int count) {
        int[] from = before.positions();
        int shift = length() - from[earlier];
        for (int i = 0; i < count; i++) {
            positions[index + i] = from[earlier + i] + shift;
        }
        raw(before.encoding(), from[earlier], from[earlier + count] - from[earlier]);
    }
}
