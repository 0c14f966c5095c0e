package dev.parley.server.ingest;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A bounded number of items that callers share fairly, however many callers there are. While there is room, every
 * caller may add items. When there is none, a caller may displace an item of the caller with the most items, unless
 * both would then have as many. Not thread-safe.
 *
 * @param <T> type of the items
 */
final class FairShares<T> {
    private final int max;
    /** Shares with items, in the order of {@link #next()}. */
    private final Map<Long, Share<T>> shares = new LinkedHashMap<>();

    private final TreeSet<Share<T>> bySize = new TreeSet<>(
            Comparator.<Share<T>>comparingInt(share -> share.items.size()).thenComparingLong(share -> share.caller));
    private int size;

    /**
     * The items of a caller, oldest first.
     *
     * @param caller hash of the caller's name
     */
    record Share<T>(long caller, Deque<T> items) {}

    FairShares(int max) {
        this.max = max;
    }

    int size() {
        return size;
    }

    int size(long caller) {
        Share<T> share = shares.get(caller);
        return share == null ? 0 : share.items.size();
    }

    boolean isFull() {
        return size >= max;
    }

    /** Whether a caller may displace an item of {@link #largest()}. */
    boolean mayDisplace(long caller) {
        return size > 0 && size(caller) + 1 < largest().items.size();
    }

    /** The share with the most items. There must be an item. */
    Share<T> largest() {
        return bySize.last();
    }

    void add(long caller, T item) {
        Share<T> share = shares.computeIfAbsent(caller, name -> new Share<>(name, new ArrayDeque<>()));
        bySize.remove(share);
        share.items.addLast(item);
        bySize.add(share);
        size++;
    }

    /** Removes an item, which costs little if it is among the oldest. */
    void removeOld(long caller, T item) {
        remove(caller, items -> items.removeFirstOccurrence(item));
    }

    /** Removes an item, which costs little if it is among the newest. */
    void removeNew(long caller, T item) {
        remove(caller, items -> items.removeLastOccurrence(item));
    }

    private void remove(long caller, Predicate<Deque<T>> removal) {
        Share<T> share = shares.get(caller);
        if (share != null) {
            bySize.remove(share);
            size -= removal.test(share.items) ? 1 : 0;
            restore(share);
        }
    }

    /** Removes the newest item of a caller who has one. */
    T removeNewest(long caller) {
        Share<T> share = shares.get(caller);
        bySize.remove(share);
        size--;
        T item = share.items.removeLast();
        restore(share);
        return item;
    }

    /** Removes the oldest item of the next caller, in turn. There must be an item. */
    T next() {
        Share<T> share = shares.values().iterator().next();
        shares.remove(share.caller);
        bySize.remove(share);
        size--;
        T item = share.items.removeFirst();
        if (!share.items.isEmpty()) {
            shares.put(share.caller, share);
            bySize.add(share);
        }
        return item;
    }

    private void restore(Share<T> share) {
        if (share.items.isEmpty()) {
            shares.remove(share.caller);
        } else {
            bySize.add(share);
        }
    }
}
