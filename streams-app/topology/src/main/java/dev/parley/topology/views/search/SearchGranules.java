package dev.parley.topology.views.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The granules of a search index: ranges of some two hundred documents, each with a {@link TermFilter}, so that a
 * search skips the documents of most granules. Every document is in one granule: the first whose key is not before it.
 *
 * <p>The filters of recent granules are in memory. New terms and numbers of removed documents are stored by {@link
 * #flush}; after a crash, Kafka Streams puts the documents since the last commit again. All other changes are stored at
 * once. So the store always has the key of every granule, and a filter lacks no term of a document that is not put
 * again.
 *
 * <p>The thread of the task makes all changes. {@link #range} is for any thread.
 */
final class SearchGranules {
    /** Maximum documents of a granule. */
    static final int MAX_DOCUMENTS = 256;

    /**
     * A share of the documents of a granule, as a divisor. The newest granule has such a share for late documents. Each
     * part of a split granule has at least this share. Once it is gone, the filter is derived again.
     */
    private static final int SHARE = 4;

    /** Maximum granules in memory, in which late documents need no read. */
    static final int MAX_RECENT = 256;

    private final KeyValueStore<Bytes, byte[]> store;
    private final TreeMap<Bytes, Granule> recent = new TreeMap<>();
    private long uses;

    /** @param store store of the documents and filters */
    SearchGranules(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** A granule in memory. */
    private static final class Granule {
        private final Bytes key;
        /** Key of the granule before it; {@link SearchKeys#granules} if there is none. */
        private Bytes previous;

        private TermFilter filter;
        /** Whether the filter differs from the stored one. */
        private boolean isChanged;
        /** Number of its last use. */
        private long used;

        Granule(Bytes key, Bytes previous, TermFilter filter) {
            this.key = key;
            this.previous = previous;
            this.filter = filter;
        }
    }

    /** A document in the store. */
    private record Document(byte[] name, long[] terms) {}

    /**
     * Adds a document that is in the store. May be repeated.
     *
     * @param document its name
     * @param terms hashes of its terms
     */
    synchronized void add(byte[] document, long[] terms) {
        Granule granule = of(document);
        granule.filter.add(terms);
        granule.isChanged = true;
        if (isTooLarge(granule)) {
            split(granule, document);
        } else if (isNewest(granule) && hasRoomOnlyForLate(granule)) {
            beginLater(granule);
        }
    }

    /**
     * Replaces the terms of a document. The filter loses those that it no longer has.
     *
     * @param document its name
     * @param changes all documents that are about to be put, by key
     * @return what is to be put with them
     */
    synchronized KeyValue<Bytes, byte[]> replace(byte[] document, Map<Bytes, byte[]> changes) {
        Granule granule = of(document);
        derive(granule, documents(granule, changes));
        return KeyValue.pair(granule.key, granule.filter.toBytes());
    }

    /** Removes a document that is gone from the store. The filter has its terms until a quarter of them are gone. */
    synchronized void remove(byte[] document) {
        Granule granule = of(document);
        granule.filter.remove();
        granule.isChanged = true;
        if (SHARE * granule.filter.removed() < granule.filter.documents()) {
            return;
        }
        List<Document> documents = documents(granule, Map.of());
        derive(granule, documents);
        if (documents.isEmpty() && !granule.key.equals(SearchKeys.LAST_GRANULE)) {
            delete(granule);
        } else {
            store.put(granule.key, granule.filter.toBytes());
        }
    }

    /** Stores all changes. */
    synchronized void flush() {
        recent.values().forEach(this::store);
    }

    /** Drops all changes that are not stored. */
    synchronized void clear() {
        recent.clear();
    }

    /** Iterates over the filters of granules by key, as they are now. */
    synchronized KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        Map<Bytes, byte[]> changed = new HashMap<>();
        recent.subMap(from, true, to, true).forEach((key, granule) -> {
            if (granule.isChanged) {
                changed.put(key, granule.filter.toBytes());
            }
        });
        return new Current(store.range(from, to), changed);
    }

    /** The granule of a document, in memory. */
    private Granule of(byte[] document) {
        Bytes key = SearchKeys.granule(document);
        Map.Entry<Bytes, Granule> next = recent.ceilingEntry(key);
        if (next == null || key.compareTo(next.getValue().previous) <= 0) {
            Granule loaded = load(key);
            remember(loaded);
            return loaded;
        }
        next.getValue().used = ++uses;
        return next.getValue();
    }

    /** Keeps a granule in memory instead of the one that was not used for longest. */
    private void remember(Granule granule) {
        if (recent.size() >= MAX_RECENT) {
            Granule oldest = Collections.min(recent.values(), Comparator.comparingLong(each -> each.used));
            store(oldest);
            recent.remove(oldest.key);
        }
        granule.used = ++uses;
        recent.put(granule.key, granule);
    }

    private Granule load(Bytes key) {
        Bytes previous = SearchKeys.granules();
        try (KeyValueIterator<Bytes, byte[]> before = store.reverseRange(previous, key)) {
            while (before.hasNext() && previous.equals(SearchKeys.granules())) {
                Bytes found = before.next().key;
                previous = found.equals(key) ? previous : found;
            }
        }
        try (KeyValueIterator<Bytes, byte[]> from = store.range(key, SearchKeys.LAST_GRANULE)) {
            if (from.hasNext()) {
                KeyValue<Bytes, byte[]> stored = from.next();
                return new Granule(stored.key, previous, new TermFilter(stored.value));
            }
        }
        TermFilter empty = new TermFilter();
        store.put(SearchKeys.LAST_GRANULE, empty.toBytes());
        return new Granule(SearchKeys.LAST_GRANULE, previous, empty);
    }

    private void store(Granule granule) {
        if (granule.isChanged) {
            store.put(granule.key, granule.filter.toBytes());
            granule.isChanged = false;
        }
    }

    /** Derives the filter of a granule from its documents; the caller stores it. */
    private static void derive(Granule granule, List<Document> documents) {
        granule.filter = filter(documents);
        granule.isChanged = false;
    }

    /** Deletes a granule without documents: its range becomes part of the next one. */
    private void delete(Granule granule) {
        store.delete(granule.key);
        recent.remove(granule.key);
        Map.Entry<Bytes, Granule> next = recent.higherEntry(granule.key);
        if (next != null && next.getValue().previous.equals(granule.key)) {
            next.getValue().previous = granule.previous;
        }
    }

    private static boolean isNewest(Granule granule) {
        return granule.previous.equals(SearchKeys.granules());
    }

    private static boolean hasRoomOnlyForLate(Granule granule) {
        int documents = granule.filter.documents();
        return documents >= MAX_DOCUMENTS - MAX_DOCUMENTS / SHARE
                || granule.filter.isNearlyFull() && documents >= SHARE;
    }

    /** Begins a granule of documents later than all stored ones, so that the newest is not read and split for them. */
    private void beginLater(Granule newest) {
        try (KeyValueIterator<Bytes, byte[]> stored =
                store.range(SearchKeys.documents(), SearchKeys.document(SearchKeys.documentOf(newest.key)))) {
            Optional<Bytes> key = stored.hasNext()
                    ? SearchKeys.granuleBefore(SearchKeys.documentOf(stored.next().key))
                    : Optional.empty();
            key.ifPresent(last -> putTogether(begin(last, newest, List.of()), newest));
        }
    }

    /**
     * Splits a granule, unless it is small because documents were added twice or removed. Documents often arrive in
     * several runs, each in the order of time. So the split is before the one that was added: the first part has room
     * for the rest of its run.
     */
    private void split(Granule granule, byte[] added) {
        List<Document> documents = documents(granule, Map.of());
        derive(granule, documents);
        if (!isTooLarge(granule)) {
            store.put(granule.key, granule.filter.toBytes());
            return;
        }
        int share = documents.size() / SHARE;
        int later = 0;
        while (later < documents.size()
                && Arrays.compareUnsigned(documents.get(later).name(), added) < 0) {
            later++;
        }
        int latest = Math.max(share, Math.min(later, documents.size() - share));
        Bytes last = SearchKeys.granuleBefore(documents.get(latest).name()).orElseThrow();
        Granule first = begin(last, granule, documents.subList(0, latest));
        granule.filter = filter(documents.subList(latest, documents.size()));
        putTogether(first, granule);
    }

    /**
     * Begins a granule before another one. The caller stores it.
     *
     * @param last its key
     * @param documents its documents, which the filter of the other granule may have too
     */
    private Granule begin(Bytes last, Granule next, List<Document> documents) {
        Granule begun = new Granule(last, next.previous, filter(documents));
        next.previous = last;
        remember(begun);
        return begun;
    }

    /** In one write: with the second alone, documents would be in a granule without their terms. */
    private void putTogether(Granule first, Granule second) {
        store.putAll(List.of(
                KeyValue.pair(first.key, first.filter.toBytes()), KeyValue.pair(second.key, second.filter.toBytes())));
        second.isChanged = false;
    }

    private static boolean isTooLarge(Granule granule) {
        int documents = granule.filter.documents();
        return documents > MAX_DOCUMENTS || granule.filter.isFull() && documents >= SHARE;
    }

    private static TermFilter filter(List<Document> documents) {
        TermFilter filter = new TermFilter();
        documents.forEach(document -> filter.add(document.terms()));
        return filter;
    }

    /** Reads the documents of a granule as they will be after changes, the latest first. */
    private List<Document> documents(Granule granule, Map<Bytes, byte[]> changes) {
        List<Document> documents = new ArrayList<>();
        Bytes from = granule.previous.equals(SearchKeys.granules())
                ? SearchKeys.documents()
                : SearchKeys.document(SearchKeys.documentOf(granule.previous));
        try (KeyValueIterator<Bytes, byte[]> stored =
                store.range(from, SearchKeys.document(SearchKeys.documentOf(granule.key)))) {
            while (stored.hasNext()) {
                KeyValue<Bytes, byte[]> next = stored.next();
                // The range begins with the last document of the granule before.
                if (!next.key.equals(from)) {
                    byte[] value = changes.getOrDefault(next.key, next.value);
                    documents.add(new Document(SearchKeys.documentOf(next.key), SearchDocument.terms(value)));
                }
            }
        }
        return documents;
    }

    /** Stored filters, or those in memory where they have changed. */
    private record Current(KeyValueIterator<Bytes, byte[]> stored, Map<Bytes, byte[]> changed)
            implements KeyValueIterator<Bytes, byte[]> {

        @Override
        public boolean hasNext() {
            return stored.hasNext();
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            KeyValue<Bytes, byte[]> next = stored.next();
            return KeyValue.pair(next.key, changed.getOrDefault(next.key, next.value));
        }

        @Override
        public Bytes peekNextKey() {
            return stored.peekNextKey();
        }

        @Override
        public void close() {
            stored.close();
        }
    }
}
