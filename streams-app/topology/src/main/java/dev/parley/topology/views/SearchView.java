package dev.parley.topology.views;

import dev.parley.avro.AuditRecord;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.search.SearchKeys;
import dev.parley.topology.views.search.SearchQuery;
import dev.parley.topology.views.search.SearchScan;
import dev.parley.topology.views.store.ViewStores;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;

/** Searches of the audit records in {@link ViewStores#AUDIT}. */
public class SearchView {
    private final StoreReader store;
    private final Topic<String, AuditRecord> topic;

    protected SearchView(StoreReader store, Topic<String, AuditRecord> topic) {
        this.store = store;
        this.topic = topic;
    }

    /**
     * Searches audit records, latest first; otherwise like {@link ConversationView#list}. Reads about as many rows as
     * the rarest part of the query has matches. A page also ends after a fixed time.
     *
     * @param after the document after which the page starts, see {@link SearchKeys}
     */
    public Optional<Bytes> list(
            SearchQuery query, Optional<Bytes> after, int limit, BiPredicate<Bytes, AuditRecord> page) {
        return list(query, record -> true, after, limit, page);
    }

    /**
     * The same, for a query with a part that the index does not know.
     *
     * @param also whether a record that satisfies the query satisfies that part
     */
    public Optional<Bytes> list(
            SearchQuery query,
            Predicate<AuditRecord> also,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, AuditRecord> page) {
        byte[] start = after.map(SearchView::document)
                .map(SearchKeys::after)
                .or(() -> query.to().map(time -> SearchKeys.firstDocument(time.toEpochMilli())))
                .orElseGet(() -> new byte[SearchKeys.DOCUMENT_BYTES]);
        byte[] end = query.from()
                .map(time -> SearchKeys.before(SearchKeys.firstDocument(time.toEpochMilli() - 1)))
                .orElseGet(() -> SearchKeys.before(new byte[SearchKeys.DOCUMENT_BYTES]));
        AtomicInteger taken = new AtomicInteger();
        return store.partitions(partitions -> {
            try (SearchScan scan = new SearchScan(partitions, query, start, end, store.scope())) {
                return scan.scan(candidate -> {
                            byte[] value = candidate
                                    .position()
                                    .map(at -> candidate.partition().get(MessageView.key(at.chain(), at.sequence())))
                                    .orElse(null);
                            if (value == null) {
                                // Pruned since, the rest of an interrupted change of the index, or not by Parley.
                                return 0;
                            }
                            AuditRecord record = topic.read(value);
                            if (!query.matches(record)
                                    || !store.scope().includesChain(record.getChain())
                                    || !also.test(record)) {
                                return value.length;
                            }
                            if (taken.get() == limit || !page.test(Bytes.wrap(candidate.document()), record)) {
                                return -1;
                            }
                            taken.incrementAndGet();
                            return value.length;
                        })
                        .map(Bytes::wrap);
            }
        });
    }

    private static byte[] document(Bytes cursor) {
        // No document is as old as the largest key, after which the scan would begin again.
        if (cursor.get().length != SearchKeys.DOCUMENT_BYTES || SearchKeys.time(cursor.get()) < 0) {
            throw new InvalidCursorException("it belongs to another query");
        }
        return cursor.get();
    }
}
