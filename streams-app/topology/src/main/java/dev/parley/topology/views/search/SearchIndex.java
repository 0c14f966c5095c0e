package dev.parley.topology.views.search;

import dev.parley.avro.AuditRecord;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewStores;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Writes the search index of {@link ViewStores#AUDIT}: for each stored record one document with its {@link
 * SearchTerms}; {@link SearchIndexStore} derives the rest. What is removed from the view is removed from the
 * index with it: the content of a redacted record, and pruned records. Every change may be repeated.
 */
public final class SearchIndex {
    private final KeyValueStore<Bytes, byte[]> store;
    private final boolean enabled;

    /** @param enabled whether to index; if not, all methods do nothing */
    public SearchIndex(KeyValueStore<Bytes, byte[]> store, boolean enabled) {
        this.store = store;
        this.enabled = enabled;
    }

    boolean isEnabled() {
        return enabled;
    }

    /**
     * Adds a record as it is stored, or replaces it by its redacted copy.
     *
     * @param writer receives the entry to put
     */
    public void put(AuditRecord record, BiConsumer<Bytes, byte[]> writer) {
        if (enabled) {
            writer.accept(
                    SearchKeys.document(SearchKeys.document(record)),
                    SearchDocument.encode(
                            new ChainPosition(record.getChain(), record.getSequence()),
                            SearchTerms.of(record).hashes()));
        }
    }

    /** Removes a record that the view deletes. */
    public void remove(AuditRecord record) {
        if (enabled) {
            store.delete(SearchKeys.document(SearchKeys.document(record)));
        }
    }
}
