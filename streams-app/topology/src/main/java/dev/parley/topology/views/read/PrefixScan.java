package dev.parley.topology.views.read;

import dev.parley.topology.views.store.ViewKeys;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Lists the keys with one of several prefixes, over some partitions of a store, page by page. A cursor is the last key
 * that was examined, so it stays valid when partitions move between instances.
 *
 * @param prefixes key prefixes in key order, none the prefix of another
 * @param last the last key of the previous page; empty for the first page
 * @param end key before which the scan ends; empty for none
 * @param index whether the values are keys of the entries to list, in the same partition
 */
record PrefixScan(
        List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions,
        List<Bytes> prefixes,
        Optional<Bytes> last,
        Optional<Bytes> end,
        boolean index) {

    /** Maximum keys that one page examines, so that a selective filter does not read the whole store. */
    static final int MAX_EXAMINED_KEYS = 10_000;

    /** Maximum bytes that one page examines, unless the first entry alone is larger. */
    static final long MAX_EXAMINED_BYTES = 16L << 20;

    static PrefixScan of(List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions, Bytes... prefixes) {
        return new PrefixScan(partitions, List.of(prefixes), Optional.empty(), Optional.empty(), false);
    }

    static PrefixScan of(ReadOnlyKeyValueStore<Bytes, byte[]> partition, Bytes prefix) {
        return of(List.of(partition), prefix);
    }

    /** The same scan, starting after a key. */
    PrefixScan after(Optional<Bytes> key) {
        if (key.isPresent() && prefixes.stream().noneMatch(prefix -> ViewKeys.startsWith(key.get(), prefix))) {
            throw new InvalidCursorException("it belongs to another query");
        }
        return new PrefixScan(partitions, prefixes, key, end, index);
    }

    /** The same scan, ending before a key. */
    PrefixScan before(Optional<Bytes> key) {
        return new PrefixScan(partitions, prefixes, last, key, index);
    }

    /** The same scan of the entries whose keys are the values. */
    PrefixScan ofIndex() {
        return new PrefixScan(partitions, prefixes, last, end, true);
    }

    /**
     * Reads one page.
     *
     * @param item converts a key and its value, or the value of the entry that it names, to an item; empty to skip it
     * @param page receives each item with its key; returns false if the item does not fit, which ends the page before
     *     it. It must accept the first item
     * @return the last key that was examined; empty if this is the last page
     */
    <T> Optional<Bytes> scan(
            int limit, BiFunction<Bytes, byte[], Optional<T>> item, BiPredicate<Bytes, ? super T> page) {
        int taken = 0;
        int examined = 0;
        long bytes = 0;
        Bytes seen = last.orElse(null);
        for (Bytes prefix : prefixes) {
            if (last.isPresent() && last.get().compareTo(prefix) > 0 && !ViewKeys.startsWith(last.get(), prefix)) {
                continue;
            }
            Bytes start = last.filter(key -> ViewKeys.startsWith(key, prefix))
                    .map(ViewKeys::next)
                    .orElse(prefix);
            try (MergedRange range = new MergedRange(partitions, start, ViewKeys.after(prefix))) {
                while (range.hasNext() && contains(prefix, range.peekNextKey())) {
                    if (taken == limit || examined == MAX_EXAMINED_KEYS || bytes >= MAX_EXAMINED_BYTES) {
                        return Optional.of(seen);
                    }
                    KeyValue<Bytes, byte[]> next = range.next();
                    byte[] value = index ? range.partition().get(Bytes.wrap(next.value)) : next.value;
                    Optional<T> converted = value == null ? Optional.empty() : item.apply(next.key, value);
                    if (converted.isPresent()) {
                        if (!page.test(next.key, converted.get())) {
                            return Optional.of(seen);
                        }
                        taken++;
                    }
                    seen = next.key;
                    examined++;
                    bytes += next.key.get().length + (value == null ? 0 : value.length);
                }
            }
        }
        return Optional.empty();
    }

    private boolean contains(Bytes prefix, Bytes key) {
        return ViewKeys.startsWith(key, prefix)
                && end.filter(bound -> key.compareTo(bound) >= 0).isEmpty();
    }
}
