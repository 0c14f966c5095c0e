package dev.parley.topology.views;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.MergedRange;
import dev.parley.topology.views.store.ViewKeys;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Lists the conversations in several indexes, over some partitions of a store, page by page. All entries of all indexes
 * belong to the list, so a page reads about as many entries as it has items. Entries are merged in the order of
 * conversations, and cursors are keys of conversations, as in a list without index.
 */
final class IndexScan {

    private IndexScan() {}

    /** The indexes that together have exactly the conversations of a filter in its namespace, each once. */
    static List<Bytes> indexes(ConversationView.Filter filter) {
        List<Protocol> protocols = filter.protocol().map(List::of).orElse(List.of(Protocol.values()));
        return protocols.stream().map(protocol -> index(filter, protocol)).toList();
    }

    /** The index that has the conversations of a protocol that match a filter. */
    static Bytes index(ConversationView.Filter filter, Protocol protocol) {
        return ConversationView.index(
                protocol, filter.verdict().orElse(null), filter.code().orElse(null));
    }

    /**
     * Reads one page.
     *
     * @param indexes key prefixes of the indexes
     * @param range key prefix of the conversations to list
     * @param last key of the last conversation of the previous page; empty for the first page
     * @param page as in {@link MergedRange#page}, with the key of each conversation
     * @return key of the last conversation that was examined; empty if this is the last page
     * @throws InvalidCursorException if the last key is out of the range
     */
    static Optional<Bytes> scan(
            List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions,
            List<Bytes> indexes,
            Bytes range,
            Optional<Bytes> last,
            int limit,
            BiPredicate<Bytes, ConversationSummary> page) {
        if (last.isPresent() && !ViewKeys.startsWith(last.get(), range)) {
            throw new InvalidCursorException("it belongs to another query");
        }
        try (MergedRange entries = new MergedRange()) {
            for (Bytes index : indexes) {
                Bytes prefix = ConversationView.indexEntry(index, range);
                Bytes start = last.map(key -> ViewKeys.next(ConversationView.indexEntry(index, key)))
                        .orElse(prefix);
                UnaryOperator<Bytes> conversation = entry -> ConversationView.indexedConversation(index, entry);
                entries.add(partitions, start, ViewKeys.after(prefix), conversation);
            }
            Function<MergedRange.Entry, byte[]> value =
                    entry -> entry.partition().get(entry.key());
            return entries.page(
                    last, limit, value, (entry, found) -> Optional.of(ConversationView.VALUE.decode(found)), page);
        }
    }
}
