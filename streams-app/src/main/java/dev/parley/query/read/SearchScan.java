package dev.parley.query.read;

import dev.parley.topology.views.SearchDocument;
import dev.parley.topology.views.SearchKeys;
import dev.parley.topology.views.SearchTerms;
import dev.parley.topology.views.ViewKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Searches the index in some partitions, page by page, latest record first. A list of matches is the intersection of
 * the postings of its terms, which all have the order of documents. The scan jumps from a document of one term to the
 * next of another, so it reads about as many postings as the rarest term has. A page ends after a number of steps and a
 * time, whatever the terms: those of a query, and how often they occur, are chosen by callers and agents.
 *
 * <p>A cursor is a document. All earlier documents have been examined in all partitions.
 */
final class SearchScan implements AutoCloseable {

    /** Maximum steps of a page. A step reads one record, or moves every term to the next candidate. */
    static final int MAX_STEPS = 10_000;

    /** Maximum bytes of records that a page reads, unless the first alone is larger. */
    static final long MAX_EXAMINED_BYTES = 16L << 20;

    /** Time after which a page ends. */
    static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PriorityQueue<Matches> lists = new PriorityQueue<>(Comparator.comparing(Matches::position));
    private final List<Postings> opened = new ArrayList<>();
    private final byte[] end;

    /**
     * A stored record that matches a query as far as the index shows, which may be wrong.
     *
     * @param position where its partition has the record; empty without a readable document
     */
    record Candidate(
            byte[] document,
            ReadOnlyKeyValueStore<Bytes, byte[]> partition,
            Optional<ViewKeys.ChainPosition> position) {}

    /** What a scan does with a candidate. */
    interface Visitor {
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
     * @throws ViewsUnavailableException if the index of a partition is not complete
     */
    SearchScan(List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions, SearchQuery query, byte[] start, byte[] end) {
        this.end = end;
        if (partitions.stream().anyMatch(partition -> !SearchTerms.isComplete(partition.get(ViewKeys.searchable())))) {
            throw new ViewsUnavailableException("The search index is being built. Retry later.");
        }
        try {
            for (ReadOnlyKeyValueStore<Bytes, byte[]> partition : partitions) {
                for (List<String> terms : query.terms()) {
                    Matches matches = new Matches(partition, terms, start);
                    if (matches.hasNext()) {
                        lists.add(matches);
                    }
                }
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Scans one page.
     *
     * @return the last document that was examined; empty if this is the last page
     */
    Optional<byte[]> scan(Visitor visitor) {
        long start = System.nanoTime();
        // Each list moves at least once, so that every page advances.
        int least = 2 * lists.size() + 1;
        long bytes = 0;
        byte[] seen = null;
        for (int steps = 0; !lists.isEmpty(); steps++) {
            if (steps >= least
                    && (steps >= MAX_STEPS || bytes >= MAX_EXAMINED_BYTES || System.nanoTime() - start > MAX_NANOS)) {
                return Optional.of(before(lists.element().document));
            }
            Matches first = lists.remove();
            if (first.isMatch) {
                if (!Arrays.equals(first.document, seen)) {
                    long read = visitor.visit(first.candidate());
                    if (read < 0) {
                        return Optional.of(before(first.document));
                    }
                    bytes += read;
                    seen = first.document;
                }
                first.moveTo(after(first.document));
            } else {
                first.moveTo(first.document);
            }
            if (first.hasNext()) {
                lists.add(first);
            }
        }
        return Optional.empty();
    }

    /** The document before another: documents are numbers of a fixed length. */
    static byte[] before(byte[] document) {
        byte[] before = document.clone();
        int i = before.length - 1;
        while (i >= 0 && before[i]-- == 0) {
            i--;
        }
        return before;
    }

    /** The document after another. */
    static byte[] after(byte[] document) {
        byte[] after = document.clone();
        int i = after.length - 1;
        while (i >= 0 && ++after[i] == 0) {
            i--;
        }
        return after;
    }

    @Override
    public void close() {
        opened.forEach(Postings::close);
    }

    /** The documents that have all of some terms, in one partition. */
    private final class Matches {
        private final ReadOnlyKeyValueStore<Bytes, byte[]> partition;
        private final List<Postings> terms = new ArrayList<>();

        /** The next match, or the first document that may be one; null after the last. */
        private byte[] document;

        /** Whether all terms have the document. */
        private boolean isMatch;

        /** @param terms if empty, all documents match */
        Matches(ReadOnlyKeyValueStore<Bytes, byte[]> partition, List<String> terms, byte[] start) {
            this.partition = partition;
            List<Bytes> prefixes = terms.isEmpty()
                    ? List.of(SearchKeys.documents())
                    : terms.stream().map(SearchKeys::postings).toList();
            for (Bytes prefix : prefixes) {
                Postings postings = new Postings(partition, prefix);
                opened.add(postings);
                this.terms.add(postings);
            }
            moveTo(start);
        }

        boolean hasNext() {
            return document != null && Arrays.compareUnsigned(document, end) <= 0;
        }

        Bytes position() {
            return Bytes.wrap(document);
        }

        /** Moves every term to its first document from this one on. If they differ, the last of them is the next. */
        void moveTo(byte[] target) {
            byte[] last = target;
            boolean same = true;
            boolean first = true;
            for (Postings postings : terms) {
                byte[] found = postings.moveTo(last);
                if (found == null) {
                    document = null;
                    return;
                }
                if (!Arrays.equals(found, last)) {
                    same = first;
                    last = found;
                }
                first = false;
            }
            document = last;
            isMatch = same;
        }

        Candidate candidate() {
            return new Candidate(
                    document, partition, SearchDocument.position(partition.get(SearchKeys.document(document))));
        }
    }

    /** The postings of one term in one partition, from a document on. */
    private static final class Postings implements AutoCloseable {
        /** Entries that are read one after another before the range is opened again further on. */
        private static final int NEAR = 16;

        private final ReadOnlyKeyValueStore<Bytes, byte[]> partition;
        private final Bytes prefix;
        private KeyValueIterator<Bytes, byte[]> range;

        Postings(ReadOnlyKeyValueStore<Bytes, byte[]> partition, Bytes prefix) {
            this.partition = partition;
            this.prefix = prefix;
        }

        /** Moves to the first document that is not before a target, and returns it; null if there is none. */
        byte[] moveTo(byte[] target) {
            if (range != null) {
                for (int i = 0; i < NEAR; i++) {
                    byte[] document = peek();
                    if (document == null || Arrays.compareUnsigned(document, target) >= 0) {
                        return document;
                    }
                    range.next();
                }
                range.close();
            }
            range = partition.range(SearchKeys.entry(prefix, target), ViewKeys.after(prefix));
            return peek();
        }

        private byte[] peek() {
            // The end of a range is inclusive.
            return range.hasNext() && ViewKeys.startsWith(range.peekNextKey(), prefix)
                    ? SearchKeys.documentOf(range.peekNextKey())
                    : null;
        }

        @Override
        public void close() {
            if (range != null) {
                range.close();
            }
        }
    }
}
