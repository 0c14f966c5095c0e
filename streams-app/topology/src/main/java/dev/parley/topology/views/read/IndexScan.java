package dev.parley.topology.views.read;

import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.read.Views.ConversationFilter;
import dev.parley.topology.views.store.ViewKeys;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Lists the conversations in several indexes, over some partitions of a store, page by page. All entries of all indexes
 * belong to the list, so a page reads about as many entries as it has items. Entries are merged in the order of
 * conversations, and cursors are keys of conversations, as in a list without index.
 *
 * @param indexes key prefixes of the indexes
 * @param range key prefix of the conversations to list
 * @param last key of the last conversation of the previous page; empty for the first page
 */
record IndexScan(
        List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions, List<Bytes> indexes, Bytes range, Optional<Bytes> last) {

    /** The indexes that together have exactly the conversations of a filter in its namespace, each once. */
    static List<Bytes> indexes(ConversationFilter filter) {
        List<Protocol> protocols = filter.protocol().map(List::of).orElse(List.of(Protocol.values()));
        return protocols.stream().map(protocol -> index(filter, protocol)).toList();
    }

    /** The index that has the conversations of a protocol that match a filter. */
    static Bytes index(ConversationFilter filter, Protocol protocol) {
        Optional<Verdict> verdict = filter.verdict();
        return filter.code()
                .map(code -> verdict.map(with -> ViewKeys.byCode(code, with, protocol))
                        .orElseGet(() -> ViewKeys.byCode(code, protocol)))
                .orElseGet(() -> verdict.map(with -> ViewKeys.byVerdict(with, protocol))
                        .orElseGet(() -> ViewKeys.byProtocol(protocol)));
    }

    /** Starts a list. */
    static IndexScan of(List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions, List<Bytes> indexes, Bytes range) {
        return new IndexScan(partitions, indexes, range, Optional.empty());
    }

    /** The same scan, starting after a conversation. */
    IndexScan after(Optional<Bytes> key) {
        if (key.isPresent() && !ViewKeys.startsWith(key.get(), range)) {
            throw new InvalidCursorException("it belongs to another query");
        }
        return new IndexScan(partitions, indexes, range, key);
    }

    /**
     * Reads one page.
     *
     * @param item converts the value of a conversation to an item
     * @param page receives each item with the key of its conversation; returns false if the item does not fit, which
     *     ends the page before it. It must accept the first item
     * @return key of the last conversation that was examined; empty if this is the last page
     */
    <T> Optional<Bytes> scan(int limit, Function<byte[], T> item, BiPredicate<Bytes, ? super T> page) {
        int taken = 0;
        long bytes = 0;
        Bytes seen = last.orElse(null);
        try (Entries entries = new Entries()) {
            for (int examined = 0; entries.hasNext(); examined++) {
                if (taken == limit
                        || examined == PrefixScan.MAX_EXAMINED_KEYS
                        || bytes >= PrefixScan.MAX_EXAMINED_BYTES) {
                    return Optional.of(seen);
                }
                Entry entry = entries.next();
                Bytes key = entry.conversation();
                byte[] value = key.equals(seen) ? null : entry.partition().get(key);
                if (value != null) {
                    if (!page.test(key, item.apply(value))) {
                        return Optional.of(seen);
                    }
                    taken++;
                    bytes += value.length;
                }
                bytes += key.get().length;
                seen = key;
            }
        }
        return Optional.empty();
    }

    /** An entry of an index, and the partition that has it and its conversation. */
    private record Entry(Bytes conversation, ReadOnlyKeyValueStore<Bytes, byte[]> partition) {}

    /** The rest of one index in one partition. Its position is the next entry. */
    private record Range(
            ReadOnlyKeyValueStore<Bytes, byte[]> partition,
            Bytes index,
            Bytes prefix,
            KeyValueIterator<Bytes, byte[]> iterator) {

        boolean hasNext() {
            // The end of a range is inclusive.
            return iterator.hasNext() && ViewKeys.startsWith(iterator.peekNextKey(), prefix);
        }

        Bytes conversation() {
            return ViewKeys.indexedConversation(index, iterator.peekNextKey());
        }
    }

    /** The remaining entries of all indexes and partitions, in the order of their conversations. */
    private final class Entries implements AutoCloseable {
        private final List<Range> opened = new ArrayList<>();
        private final PriorityQueue<Position> next = new PriorityQueue<>(Comparator.comparing(Position::conversation));

        private record Position(Bytes conversation, Range range) {}

        Entries() {
            try {
                for (ReadOnlyKeyValueStore<Bytes, byte[]> partition : partitions) {
                    for (Bytes index : indexes) {
                        open(partition, index);
                    }
                }
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        private void open(ReadOnlyKeyValueStore<Bytes, byte[]> partition, Bytes index) {
            Bytes prefix = ViewKeys.indexEntry(index, range);
            Bytes start = last.map(key -> ViewKeys.next(ViewKeys.indexEntry(index, key)))
                    .orElse(prefix);
            Range opening = new Range(partition, index, prefix, partition.range(start, ViewKeys.after(prefix)));
            opened.add(opening);
            enqueue(opening);
        }

        boolean hasNext() {
            return !next.isEmpty();
        }

        Entry next() {
            Position first = next.remove();
            first.range().iterator().next();
            enqueue(first.range());
            return new Entry(first.conversation(), first.range().partition());
        }

        private void enqueue(Range rest) {
            if (rest.hasNext()) {
                next.add(new Position(rest.conversation(), rest));
            }
        }

        @Override
        public void close() {
            opened.forEach(rest -> rest.iterator().close());
        }
    }
}
