package dev.parley.topology.views.search;

import dev.parley.topology.views.read.NamespaceScope;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Searches the index in some partitions, page by page, latest record first. It skips the granules whose filter lacks a
 * term of the query, and reads the documents of the others. A page ends after a number of steps and a time, whatever
 * the terms: those of a query, and how often they occur, are chosen by callers and agents.
 *
 * <p>A cursor is a document. All earlier documents have been examined in all partitions.
 */
public final class SearchScan implements AutoCloseable {

    /** Maximum steps of a page. A step reads one document or skips one granule. */
    static final int MAX_STEPS = 50_000;

    /** Maximum bytes of records that a page reads, unless the first alone is larger. */
    static final long MAX_EXAMINED_BYTES = 16L << 20;

    /** Time after which a page ends. */
    static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PriorityQueue<Documents> partitions =
            new PriorityQueue<>((a, b) -> Arrays.compareUnsigned(a.position, b.position));
    private final List<Documents> opened = new ArrayList<>();
    private final SearchQuery.Plan plan;
    private final byte[] end;

    /**
     * A stored record that matches a query as far as the index shows, which may be wrong.
     *
     * @param position where its partition has the record; empty without a readable document
     */
    public record Candidate(
            byte[] document, ReadOnlyKeyValueStore<Bytes, byte[]> partition, Optional<ChainPosition> position) {}

    /** The decision about a candidate of a scan. */
    public interface Visitor {
        /**
         * Examines a candidate.
         *
         * @return bytes read; negative if the candidate matches but does not fit, which ends the page before it
         */
        long visit(Candidate candidate);
    }

    /**
     * Opens a scan.
     *
     * @param start the first document
     * @param end the last document
     * @param scope namespaces of the records; a candidate may be outside of it
     * @throws ViewsUnavailableException if the index of a partition is not complete
     */
    public SearchScan(
            List<ReadOnlyKeyValueStore<Bytes, byte[]>> stores,
            SearchQuery query,
            byte[] start,
            byte[] end,
            NamespaceScope scope) {
        this.plan = query.plan(scope);
        this.end = end;
        if (stores.stream().anyMatch(store -> !SearchTerms.isComplete(store.get(SearchKeys.searchable())))) {
            throw new ViewsUnavailableException("The search index is being built. Retry later.");
        }
        try {
            for (ReadOnlyKeyValueStore<Bytes, byte[]> store : stores) {
                Documents documents = new Documents(store, start);
                opened.add(documents);
                add(documents);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void add(Documents documents) {
        if (Arrays.compareUnsigned(documents.position, end) <= 0 && documents.hasNext()) {
            partitions.add(documents);
        }
    }

    /**
     * Scans one page.
     *
     * @return the last document that was examined; empty if this is the last page
     */
    public Optional<byte[]> scan(Visitor visitor) {
        long start = System.nanoTime();
        // Each partition moves at least once, so that every page advances.
        int least = 2 * partitions.size() + 1;
        long bytes = 0;
        for (int steps = 0; !partitions.isEmpty(); steps++) {
            if (steps >= least
                    && (steps >= MAX_STEPS || bytes >= MAX_EXAMINED_BYTES || System.nanoTime() - start > MAX_NANOS)) {
                return Optional.of(SearchKeys.before(partitions.element().position));
            }
            Documents first = partitions.remove();
            Optional<Candidate> candidate = first.step();
            if (candidate.isPresent()) {
                long read = visitor.visit(candidate.get());
                if (read < 0) {
                    return Optional.of(SearchKeys.before(candidate.get().document()));
                }
                bytes += read;
            }
            add(first);
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        opened.forEach(Documents::close);
    }

    /** The documents of one partition, from a document on. */
    private final class Documents implements AutoCloseable {
        private final ReadOnlyKeyValueStore<Bytes, byte[]> store;
        private final KeyValueIterator<Bytes, byte[]> granules;

        /** The granule in progress; null between granules. */
        private KeyValueIterator<Bytes, byte[]> granule;

        /** The last document of the granule in progress. */
        private byte[] last;

        /** The first document that is not examined. */
        private byte[] position;

        Documents(ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] start) {
            this.store = store;
            this.position = start;
            this.granules = store.range(SearchKeys.granule(start), SearchKeys.LAST_GRANULE);
        }

        boolean hasNext() {
            return granule != null || granules.hasNext();
        }

        /** Examines the next document, or begins or skips a granule. Returns the document if it matches. */
        Optional<Candidate> step() {
            Optional<Candidate> candidate = Optional.empty();
            if (granule == null) {
                begin(granules.next());
            } else {
                KeyValue<Bytes, byte[]> next = granule.next();
                long[] terms = SearchDocument.terms(next.value);
                if (plan.matches(pattern -> pattern.isIn(terms))) {
                    candidate = Optional.of(
                            new Candidate(SearchKeys.documentOf(next.key), store, SearchDocument.position(next.value)));
                }
            }
            if (granule != null) {
                settle();
            }
            return candidate;
        }

        private void begin(KeyValue<Bytes, byte[]> filter) {
            last = SearchKeys.documentOf(filter.key);
            if (plan.matches(pattern -> pattern.mayBeIn(filter.value))) {
                granule = store.range(SearchKeys.document(position), SearchKeys.document(last));
            } else {
                position = SearchKeys.after(last);
            }
        }

        /** Moves the position to the next document, so that documents of all partitions are examined in order. */
        private void settle() {
            if (granule.hasNext()) {
                position = SearchKeys.documentOf(granule.peekNextKey());
            } else {
                granule.close();
                granule = null;
                position = SearchKeys.after(last);
            }
        }

        @Override
        public void close() {
            granules.close();
            if (granule != null) {
                granule.close();
            }
        }
    }
}
