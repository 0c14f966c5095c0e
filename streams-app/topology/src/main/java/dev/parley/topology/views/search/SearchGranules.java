package dev.parley.topology.views.search;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The documents of a search index, and its granules: ranges of some two hundred documents, each with a {@link
 * TermFilter}, so that a search skips the documents of most granules. Every document is in one granule: the first whose
 * key is not before it.
 *
 * <p>A granule is open while it is in memory. The store has an empty value in place of its filter, so that a search
 * reads its documents, and the filter when it is closed. The store also has the list of open granules. After a crash,
 * their filters are derived again. So a stored filter lacks no term of a document, and has none of a replaced one.
 */
final class SearchGranules {
    /** Maximum documents of a granule. */
    static final int MAX_DOCUMENTS = 256;

    /**
     * A share of the documents of a granule, as a divisor. The newest granule has such a share for late documents. Each
     * part of a split granule has at least this share. Once it is gone, the filter is derived again.
     */
    private static final int SHARE = 4;

    /** Maximum open granules. Documents arrive in a few runs, each in the order of time. */
    static final int MAX_OPEN = 16;

    /** Maximum documents of a granule that are read. */
    private static final int MAX_READ = 2 * MAX_DOCUMENTS;

    private static final byte[] NO_FILTER = {};

    private final KeyValueStore<Bytes, byte[]> store;
    private final TreeMap<Bytes, Granule> open = new TreeMap<>();
    private long uses;

    /** @param store store of the documents and filters */
    SearchGranules(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
        byte[] stored = store.get(SearchKeys.openGranules());
        ByteBuffer names = ByteBuffer.wrap(stored == null ? NO_FILTER : stored);
        for (int i = 0; i < MAX_OPEN && names.remaining() >= SearchKeys.DOCUMENT_BYTES; i++) {
            byte[] name = new byte[SearchKeys.DOCUMENT_BYTES];
            names.get(name);
            of(name);
        }
    }

    /** An open granule. */
    private static final class Granule {
        private final Bytes key;
        /** Key of the granule before it; {@link SearchKeys#granules} if there is none. */
        private Bytes previous;

        private TermFilter filter = new TermFilter();
        /** Number of its last use. */
        private long used;

        Granule(Bytes key, Bytes previous) {
            this.key = key;
            this.previous = previous;
        }
    }

    /** A document in the store. */
    private record Document(byte[] name, long[] terms) {}

    /**
     * Stores a document. May be repeated.
     *
     * @param document its name
     * @param value a {@link SearchDocument} with all terms that it has had
     */
    void add(byte[] document, byte[] value) {
        Granule granule = of(document);
        store.put(SearchKeys.document(document), value);
        granule.filter.add(SearchDocument.terms(value));
        if (isTooLarge(granule)) {
            split(granule, document);
        } else if (isNewest(granule) && hasRoomOnlyForLate(granule)) {
            beginLater(granule);
        }
    }

    /** Stores a document that may have had other terms. The filter loses those that it no longer has. */
    void replace(byte[] document, byte[] value) {
        Granule granule = of(document);
        store.put(SearchKeys.document(document), value);
        split(granule, document);
    }

    /** Removes a document, if it is there. The filter has its terms until a quarter of them are gone. */
    void remove(byte[] document) {
        if (store.delete(SearchKeys.document(document)) == null) {
            return;
        }
        Granule granule = of(document);
        granule.filter.remove();
        if (SHARE * granule.filter.removed() >= granule.filter.documents()) {
            List<Document> rest = documents(granule);
            granule.filter = filter(rest);
            if (rest.isEmpty() && !granule.key.equals(SearchKeys.LAST_GRANULE)) {
                delete(granule);
            }
        }
    }

    /** The granule of a document, which is opened. */
    private Granule of(byte[] document) {
        Bytes key = SearchKeys.granule(document);
        Map.Entry<Bytes, Granule> next = open.ceilingEntry(key);
        if (next == null || key.compareTo(next.getValue().previous) <= 0) {
            Granule loaded = load(key);
            open(loaded);
            return loaded;
        }
        next.getValue().used = ++uses;
        return next.getValue();
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
            if (!from.hasNext()) {
                return new Granule(SearchKeys.LAST_GRANULE, previous);
            }
            KeyValue<Bytes, byte[]> stored = from.next();
            Granule granule = new Granule(stored.key, previous);
            granule.filter = TermFilter.of(stored.value).orElseGet(() -> filter(documents(granule)));
            return granule;
        }
    }

    /** Opens a granule, and closes the one that was not used for longest if too many are open. */
    private void open(Granule granule) {
        List<KeyValue<Bytes, byte[]>> changes = new ArrayList<>();
        if (open.size() >= MAX_OPEN) {
            Granule oldest = Collections.min(open.values(), Comparator.comparingLong(each -> each.used));
            open.remove(oldest.key);
            changes.add(KeyValue.pair(oldest.key, oldest.filter.toBytes()));
        }
        granule.used = ++uses;
        open.put(granule.key, granule);
        changes.add(KeyValue.pair(granule.key, NO_FILTER));
        put(changes);
    }

    /** Deletes a granule without documents: its range becomes part of the next one. */
    private void delete(Granule granule) {
        open.remove(granule.key);
        Map.Entry<Bytes, Granule> next = open.higherEntry(granule.key);
        if (next != null && next.getValue().previous.equals(granule.key)) {
            next.getValue().previous = granule.previous;
        }
        put(new ArrayList<>(List.of(KeyValue.pair(granule.key, null))));
    }

    /** Puts granules and the list of those that are open, in one write. */
    private void put(List<KeyValue<Bytes, byte[]>> changes) {
        ByteBuffer names = ByteBuffer.allocate(SearchKeys.DOCUMENT_BYTES * open.size());
        open.keySet().forEach(key -> names.put(SearchKeys.documentOf(key)));
        changes.add(KeyValue.pair(SearchKeys.openGranules(), names.array()));
        store.putAll(changes);
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
        Optional<Bytes> key;
        try (KeyValueIterator<Bytes, byte[]> stored =
                store.range(SearchKeys.documents(), SearchKeys.document(SearchKeys.documentOf(newest.key)))) {
            key = stored.hasNext()
                    ? SearchKeys.granuleBefore(SearchKeys.documentOf(stored.next().key))
                    : Optional.empty();
        }
        key.ifPresent(last -> begin(last, newest, List.of()));
    }

    /**
     * Derives the filter of a granule, and splits the granule if it is large. Documents often arrive in
     * several runs, each in the order of time. So the split is before the one that was added: the first part has room
     * for the rest of its run.
     */
    private void split(Granule granule, byte[] added) {
        List<Document> documents = documents(granule);
        granule.filter = filter(documents);
        if (!isTooLarge(granule)) {
            return;
        }
        int share = documents.size() / SHARE;
        int later = 0;
        while (later < documents.size()
                && Arrays.compareUnsigned(documents.get(later).name(), added) < 0) {
            later++;
        }
        int latest = Math.max(share, Math.min(later, documents.size() - share));
        // Documents of another client may have equal names, between which is no granule.
        Optional<Bytes> last = SearchKeys.granuleBefore(documents.get(latest).name())
                .filter(key -> key.compareTo(granule.previous) > 0);
        if (last.isEmpty()) {
            return;
        }
        if (documents.size() <= MAX_READ) {
            granule.filter = filter(documents.subList(latest, documents.size()));
        }
        begin(last.get(), granule, documents.subList(0, latest));
    }

    /** Begins a granule of some documents, with a key, before another one. */
    private void begin(Bytes last, Granule next, List<Document> documents) {
        Granule begun = new Granule(last, next.previous);
        begun.filter = filter(documents);
        next.previous = last;
        open(begun);
    }

    private static boolean isTooLarge(Granule granule) {
        int documents = granule.filter.documents();
        return documents > MAX_DOCUMENTS || granule.filter.isFull() && documents >= SHARE;
    }

    /** Returns the filter of the documents of a granule; of all terms if another client removed its granules. */
    private static TermFilter filter(List<Document> documents) {
        TermFilter filter = documents.size() > MAX_READ ? TermFilter.ofAllTerms() : new TermFilter();
        documents.forEach(document -> filter.add(document.terms()));
        return filter;
    }

    /** Reads the documents of a granule, the latest first; at most one more than {@link #MAX_READ}. */
    private List<Document> documents(Granule granule) {
        List<Document> documents = new ArrayList<>();
        Bytes from = granule.previous.equals(SearchKeys.granules())
                ? SearchKeys.documents()
                : SearchKeys.document(SearchKeys.documentOf(granule.previous));
        try (KeyValueIterator<Bytes, byte[]> stored =
                store.range(from, SearchKeys.document(SearchKeys.documentOf(granule.key)))) {
            while (stored.hasNext() && documents.size() <= MAX_READ) {
                KeyValue<Bytes, byte[]> next = stored.next();
                // The range begins with the last document of the granule before.
                if (!next.key.equals(from)) {
                    documents.add(new Document(SearchKeys.documentOf(next.key), SearchDocument.terms(next.value)));
                }
            }
        }
        return documents;
    }
}
