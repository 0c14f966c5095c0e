package dev.parley.query.read;

import dev.parley.query.read.Views.Page;
import dev.parley.topology.views.ViewKeys;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The keys of a store, over some of its partitions, that begin with one of several prefixes, page by page. A cursor is
 * the last key that was looked at: a place in the order of all keys, whoever has them.
 *
 * @param partitions what is read
 * @param prefixes in the order of the keys, none the prefix of another
 * @param last the last key of the page before; empty at the beginning
 */
record PrefixScan(List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions, List<Bytes> prefixes, Optional<Bytes> last) {

    /** How many keys one page may look at: a filter that few pass does not read the whole store for one request. */
    private static final int EXAMINED = 10_000;

    /** How many bytes of them one page may look at, unless the first alone is larger. */
    private static final long EXAMINED_BYTES = 16L << 20;

    static PrefixScan of(List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions, Bytes... prefixes) {
        return new PrefixScan(partitions, List.of(prefixes), Optional.empty());
    }

    static PrefixScan of(ReadOnlyKeyValueStore<Bytes, byte[]> partition, Bytes prefix) {
        return of(List.of(partition), prefix);
    }

    /** The same from after the cursor on. */
    PrefixScan after(Optional<String> cursor) {
        return afterKey(cursor.map(Cursor::key));
    }

    /** The same from after the key on. */
    PrefixScan afterKey(Optional<Bytes> key) {
        if (key.isPresent() && prefixes.stream().noneMatch(prefix -> ViewKeys.startsWith(key.get(), prefix))) {
            throw new InvalidCursorException("it belongs to another query");
        }
        return new PrefixScan(partitions, prefixes, key);
    }

    /** At most {@code limit} of what {@code item} makes of a key and its value; empty ones are left out. */
    <T> Page<T> page(int limit, BiFunction<Bytes, byte[], Optional<T>> item) {
        return Page.of(page -> page(limit, item, page));
    }

    /**
     * The same, one by one.
     *
     * @param page takes an item, at least the first; the page ends before one that it does not take
     * @return cursor of the page after this one; empty when this is the last
     */
    <T> Optional<String> page(int limit, BiFunction<Bytes, byte[], Optional<T>> item, Predicate<? super T> page) {
        return scan(limit, item, (key, made) -> page.test(made)).map(Cursor::of);
    }

    /**
     * The same, with the keys.
     *
     * @return the last key that was examined; empty when this is the last page
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
            try (MergedRange found = new MergedRange(partitions, start, ViewKeys.after(prefix))) {
                while (found.hasNext() && ViewKeys.startsWith(found.peekNextKey(), prefix)) {
                    if (taken == limit || examined == EXAMINED || bytes >= EXAMINED_BYTES) {
                        return Optional.of(seen);
                    }
                    KeyValue<Bytes, byte[]> next = found.next();
                    Optional<T> made = item.apply(next.key, next.value);
                    if (made.isPresent()) {
                        if (!page.test(next.key, made.get())) {
                            return Optional.of(seen);
                        }
                        taken++;
                    }
                    seen = next.key;
                    examined++;
                    bytes += next.key.get().length + next.value.length;
                }
            }
        }
        return Optional.empty();
    }
}
