package dev.parley.server.api;

import dev.parley.server.api.view.KeyedItems;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;

/**
 * Combines consecutive records of a list to one item of a page for each group. A group is of one partition, which one
 * instance owns, so no instance splits the group of another. A page that ends within a group is followed by the rest of
 * it.
 */
final class GroupedItems<T> {
    /** Maximum number of records that a page covers, about 20 ms of work. */
    static final int MAX_RECORDS = 5_000;

    private final KeyedItems items;
    private final int limit;
    private final Function<T, Group<T>> groups;

    private Group<T> group;
    private Bytes lastKey;
    /** Whether a group did not fit, so that the next page starts with it. */
    private boolean full;

    /** A group that has records. */
    interface Group<T> {
        /** Adds the next record; returns false if it belongs to another group. */
        boolean add(T next);

        /** The item of these records. */
        Object item();
    }

    /**
     * @param limit maximum number of items of the page, with those that it has already
     * @param groups starts a group with its first record
     */
    GroupedItems(KeyedItems items, int limit, Function<T, Group<T>> groups) {
        this.items = items;
        this.limit = limit;
        this.groups = groups;
    }

    /** Adds the next record; returns false if it does not fit into the page. */
    boolean add(Bytes key, T next) {
        if (group != null && !group.add(next)) {
            close();
        }
        if (group == null) {
            if (full || items.size() == limit) {
                return false;
            }
            group = groups.apply(next);
        }
        lastKey = key;
        return true;
    }

    private void close() {
        full = !items.add(lastKey, group.item());
        group = null;
    }

    /** @param end the last key that was examined; empty if the list ends there */
    KeyedItems page(Optional<Bytes> end) {
        if (group != null) {
            close();
        }
        return items.endAt(full ? items.lastKey() : end);
    }
}
