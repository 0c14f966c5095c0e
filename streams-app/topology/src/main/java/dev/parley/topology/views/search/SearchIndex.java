package dev.parley.topology.views.search;

import dev.parley.avro.AuditRecord;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewStores;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Writes the search index of {@link ViewStores#AUDIT}: for each stored record one document with its {@link
 * SearchTerms}, in {@link SearchGranules}. What is removed from the view is removed from the index with it: the content
 * of a redacted record, and pruned records. Every change may be repeated.
 */
public final class SearchIndex {
    private final SearchGranules granules;
    private final boolean enabled;

    /** @param enabled whether to index; if not, all methods do nothing but {@link #delete} */
    public SearchIndex(KeyValueStore<Bytes, byte[]> store, boolean enabled) {
        this.granules = new SearchGranules(store);
        this.enabled = enabled;
    }

    boolean isEnabled() {
        return enabled;
    }

    /** Adds a record as it is stored. */
    public void add(AuditRecord record) {
        if (enabled) {
            granules.add(SearchKeys.document(record), document(record));
        }
    }

    /** Replaces a record by its redacted copy, or adds this. */
    public void replace(AuditRecord record) {
        if (enabled) {
            granules.replace(SearchKeys.document(record), document(record));
        }
    }

    private static byte[] document(AuditRecord record) {
        return SearchDocument.encode(
                new ChainPosition(record.getChain(), record.getSequence()),
                SearchTerms.of(record).hashes());
    }

    /** Removes a record that the view deletes. */
    public void remove(AuditRecord record) {
        if (enabled) {
            delete(SearchKeys.document(record));
        }
    }

    /** Deletes a document from an index that may be disabled. */
    void delete(byte[] document) {
        granules.remove(document);
    }
}
