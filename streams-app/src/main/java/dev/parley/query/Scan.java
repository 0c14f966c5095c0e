package dev.parley.query;

import dev.parley.query.Views.Page;
import dev.parley.topology.ViewKeys;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The keys of a store that begin with a prefix, page by page. A cursor is the last key that was looked at.
 *
 * @param start first key to look at; null for the first of the store
 */
record Scan(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes prefix, Bytes start) {

    /** How many keys one page may look at: a filter that few pass does not read the whole store for one request. */
    private static final int EXAMINED = 10_000;

    static Scan of(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes prefix) {
        return new Scan(store, prefix, prefix.get().length == 0 ? null : prefix);
    }

    /** The same from after the cursor on. */
    Scan after(Optional<String> cursor) {
        if (cursor.isEmpty()) {
            return this;
        }
        Bytes key;
        try {
            key = Bytes.wrap(Base64.getUrlDecoder().decode(cursor.get()));
        } catch (IllegalArgumentException e) {
            throw new InvalidCursor("it was not made by this API");
        }
        if (!ViewKeys.startsWith(key, prefix)) {
            throw new InvalidCursor("it belongs to another query");
        }
        return new Scan(store, prefix, ViewKeys.next(key));
    }

    /** At most {@code limit} of what {@code item} makes of a key and its value; empty ones are left out. */
    <T> Page<T> page(int limit, BiFunction<Bytes, byte[], Optional<T>> item) {
        List<T> items = new ArrayList<>();
        int examined = 0;
        Bytes last = null;
        try (KeyValueIterator<Bytes, byte[]> found = store.range(start, ViewKeys.after(prefix))) {
            while (found.hasNext() && ViewKeys.startsWith(found.peekNextKey(), prefix)) {
                if (items.size() == limit || examined == EXAMINED) {
                    return new Page<>(items, Optional.of(cursor(last)));
                }
                KeyValue<Bytes, byte[]> next = found.next();
                last = next.key;
                examined++;
                item.apply(next.key, next.value).ifPresent(items::add);
            }
        }
        return new Page<>(items, Optional.empty());
    }

    private static String cursor(Bytes key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.get());
    }
}
