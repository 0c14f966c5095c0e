package dev.parley.topology.views.search;

import dev.parley.avro.AuditRecord;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewStores;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Writes the search index of {@link ViewStores#AUDIT}: for each stored record one document with its {@link
 * SearchTerms}, in {@link SearchGranules}. What is removed from the view is removed from the index with it: the content
 * of a redacted record, and pruned records. Every change may be repeated.
 */
public final class SearchIndex {
    private final SearchGranules granules;
    private final Optional<PublicContent> content;

    /** @param content the content that every reader may find; if empty, all methods do nothing but {@link #delete} */
    public SearchIndex(KeyValueStore<Bytes, byte[]> store, Optional<PublicContent> content) {
        this.granules = new SearchGranules(store);
        this.content = content;
    }

    boolean isEnabled() {
        return content.isPresent();
    }

    /** Version of a complete index; empty if it is not enabled. */
    Optional<byte[]> version() {
        return content.map(SearchTerms::version);
    }

    /** Adds a record as it is stored. */
    public void add(AuditRecord record) {
        if (isEnabled()) {
            granules.add(SearchKeys.document(record), document(record));
        }
    }

    /** Replaces a record by its redacted copy, or adds this. */
    public void replace(AuditRecord record) {
        if (isEnabled()) {
            granules.replace(SearchKeys.document(record), document(record));
        }
    }

    private byte[] document(AuditRecord record) {
        return SearchDocument.encode(
                new ChainPosition(record.getChain(), record.getSequence()),
                SearchTerms.of(record, content.orElseThrow()).hashes());
    }

    /** Removes a record that the view deletes. */
    public void remove(AuditRecord record) {
        if (isEnabled()) {
            delete(SearchKeys.document(record));
        }
    }

    /** Deletes a document from an index that may be disabled. */
    void delete(byte[] document) {
        granules.remove(document);
    }
}
