package dev.parley.topology.views;

import dev.parley.avro.AuditRecord;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.setup.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the search index of {@link ViewStores#AUDIT}: for each stored record one document, and a posting for each of
 * its {@link SearchTerms}. What is removed from the view is removed from the index with it: the content of a redacted
 * record, and pruned records. Every change may be repeated.
 */
final class SearchIndex {
    private static final Logger LOG = LoggerFactory.getLogger(SearchIndex.class);
    private static final byte[] PRESENT = {};

    private final KeyValueStore<Bytes, byte[]> store;
    private final Topic<String, AuditRecord> topic;
    private final boolean enabled;

    /** @param enabled whether to index; if not, all methods do nothing */
    SearchIndex(KeyValueStore<Bytes, byte[]> store, Topic<String, AuditRecord> topic, boolean enabled) {
        this.store = store;
        this.topic = topic;
        this.enabled = enabled;
    }

    boolean isEnabled() {
        return enabled;
    }

    /** Adds a record as it is stored. */
    void add(AuditRecord record) {
        if (!enabled) {
            return;
        }
        byte[] document = SearchKeys.document(record);
        Set<String> terms = SearchTerms.of(record).all();
        // One write for all: as single ones, they are most of the writes of the view.
        List<KeyValue<Bytes, byte[]>> entries = new ArrayList<>(1 + terms.size());
        entries.add(KeyValue.pair(
                SearchKeys.document(document),
                new ViewKeys.ChainPosition(record.getChain(), record.getSequence()).toBytes()));
        terms.forEach(term -> entries.add(KeyValue.pair(posting(term, document), PRESENT)));
        store.putAll(entries);
    }

    /** Replaces a record by its redacted copy. */
    void replace(AuditRecord record, AuditRecord redacted) {
        if (!enabled) {
            return;
        }
        byte[] document = SearchKeys.document(record);
        Set<String> kept = SearchTerms.of(redacted).all();
        for (String term : SearchTerms.of(record).all()) {
            if (!kept.contains(term)) {
                store.delete(posting(term, document));
            }
        }
        add(redacted);
    }

    /** Removes a record that the view deletes. */
    void remove(byte[] value) {
        if (!enabled) {
            return;
        }
        try {
            AuditRecord record = RegistryRetry.read(topic, value);
            byte[] document = SearchKeys.document(record);
            SearchTerms.of(record).all().forEach(term -> store.delete(posting(term, document)));
            store.delete(SearchKeys.document(document));
        } catch (UnreadableRecordException e) {
            LOG.error("{}; it is in no search index. Another client wrote to the changelog", e.getMessage());
        }
    }

    private static Bytes posting(String term, byte[] document) {
        return SearchKeys.entry(SearchKeys.postings(term), document);
    }
}
