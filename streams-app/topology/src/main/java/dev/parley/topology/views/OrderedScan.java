package dev.parley.topology.views;

import dev.parley.avro.ConversationSummary;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.MergedRange;
import dev.parley.topology.views.read.NamespaceScope;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Lists the conversations of a filter over some partitions of a store in an order, page by page. It reads the index of
 * the order, and leaves out what does not match. If few conversations match, it reads these from their indexes instead,
 * and sorts them. Both have the same order and cursors, so each partition may change from one to the other between two
 * pages.
 *
 * @param scope namespaces whose conversations are listed
 */
record OrderedScan(
        List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions,
        ConversationView.Filter filter,
        ConversationOrder order,
        NamespaceScope scope) {

    /**
     * Maximum number of conversations that a page sorts. The index by time has this many matches among the last million
     * conversations for a page of 50 within {@link MergedRange#MAX_EXAMINED_KEYS}.
     */
    static final int MAX_SORTED = 5_000;

    /** The number of conversations that match. Reads a few keys, whatever their number. */
    long total() {
        long total = 0;
        for (Optional<String> namespace : scope.select(filter.namespace())) {
            for (Bytes index : IndexScan.indexes(filter)) {
                Bytes key = ConversationView.totalKey(index, namespace);
                for (ReadOnlyKeyValueStore<Bytes, byte[]> partition : partitions) {
                    total += ViewValues.number(partition.get(key));
                }
            }
        }
        return total;
    }

    /**
     * Reads one page.
     *
     * @param after key of the last conversation of the previous page in the list; empty for the first page
     * @param page as in {@link ConversationView#list}
     * @return key of the last conversation that was examined; empty if this is the last page
     * @throws InvalidCursorException if {@code after} is not a key of this list
     */
    Optional<Bytes> scan(Optional<Bytes> after, int limit, BiPredicate<Bytes, ConversationSummary> page) {
        if (after.filter(key -> !ViewKeys.startsWith(key, order.prefix())).isPresent()) {
            throw new InvalidCursorException("it belongs to another query");
        }
        boolean all = filter.equals(ConversationView.Filter.NONE) && scope.isAll();
        if (!all && total() <= MAX_SORTED) {
            TreeMap<Bytes, ConversationSummary> first = new TreeMap<>();
            if (sort(after, limit + 1, first)) {
                return fill(first, limit, page);
            }
        }
        // Of a namespace, the keys alone say which entries do not match.
        Optional<Bytes> range =
                filter.namespace().map(name -> ConversationView.prefix(Optional.of(name), filter.protocol()));
        try (MergedRange entries = new MergedRange()) {
            order.addTo(entries, partitions, after.orElse(null));
            return entries.page(
                    after,
                    limit,
                    entry -> {
                        Bytes conversation = order.conversation(entry.key());
                        return range.isEmpty() || ViewKeys.startsWith(conversation, range.get())
                                ? entry.partition().get(conversation)
                                : null;
                    },
                    (entry, value) -> Optional.of(ConversationView.VALUE.decode(value))
                            .filter(summary -> matches(entry, summary)),
                    page);
        }
    }

    /** Sorts all matches, and keeps the first ones after a key; returns false if they are too large to be read. */
    private boolean sort(Optional<Bytes> after, int limit, TreeMap<Bytes, ConversationSummary> first) {
        return scope.select(filter.namespace()).stream().allMatch(namespace -> sort(namespace, after, limit, first));
    }

    private boolean sort(
            Optional<String> namespace, Optional<Bytes> after, int limit, TreeMap<Bytes, ConversationSummary> first) {
        Bytes range = ConversationView.prefix(namespace, filter.protocol());
        return IndexScan.scan(
                        partitions, IndexScan.indexes(filter), range, Optional.empty(), MAX_SORTED, (key, summary) -> {
                            Bytes listed = order.key(key, summary);
                            if (after.filter(last -> listed.compareTo(last) <= 0)
                                    .isEmpty()) {
                                first.put(listed, summary);
                                if (first.size() > limit) {
                                    first.pollLastEntry();
                                }
                            }
                            return true;
                        })
                .isEmpty();
    }

    private static Optional<Bytes> fill(
            TreeMap<Bytes, ConversationSummary> first, int limit, BiPredicate<Bytes, ConversationSummary> page) {
        int filled = 0;
        Bytes seen = null;
        for (Map.Entry<Bytes, ConversationSummary> next : first.entrySet()) {
            if (filled == limit || !page.test(next.getKey(), next.getValue())) {
                return Optional.of(seen);
            }
            filled++;
            seen = next.getKey();
        }
        return Optional.empty();
    }

    private boolean matches(MergedRange.Entry entry, ConversationSummary summary) {
        Bytes key = order.conversation(entry.key());
        // After a crash, an earlier entry may remain.
        if (!order.key(key, summary).equals(entry.key())
                || !scope.includes(summary.getNamespace())
                || !Views.selects(filter.namespace(), summary.getNamespace())
                || !Views.selects(filter.protocol(), summary.getProtocol())) {
            return false;
        }
        return filter.verdict().isEmpty() && filter.code().isEmpty()
                || entry.partition()
                                .get(ConversationView.indexEntry(IndexScan.index(filter, summary.getProtocol()), key))
                        != null;
    }
}
