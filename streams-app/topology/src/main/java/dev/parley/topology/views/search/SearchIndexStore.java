package dev.parley.topology.views.search;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.CommitCallback;
import org.apache.kafka.streams.processor.StateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * A persistent store that derives the {@link SearchGranules} of the search index from its documents. It is below the
 * changelog, which therefore contains one record for a document and none for a granule. Restores and standbys derive
 * the granules again.
 */
public final class SearchIndexStore implements KeyValueStore<Bytes, byte[]> {
    /**
     * Maximum documents of one write in a restore. They are in the store before their granule has their terms, so more
     * would make a granule larger than it counts, also after a crash.
     */
    private static final int MAX_RESTORED = 16;

    private final KeyValueStore<Bytes, byte[]> store;
    private final SearchGranules granules;

    /** @param store store of all entries; this store restores them from the changelog */
    SearchIndexStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
        this.granules = new SearchGranules(store);
    }

    /** Returns a supplier of such stores over RocksDB. */
    public static KeyValueBytesStoreSupplier supplier(String name) {
        KeyValueBytesStoreSupplier persistent = Stores.persistentKeyValueStore(name);
        return new KeyValueBytesStoreSupplier() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public KeyValueStore<Bytes, byte[]> get() {
                return new SearchIndexStore(persistent.get());
            }

            @Override
            public String metricsScope() {
                return persistent.metricsScope();
            }
        };
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        // Kafka Streams may initialize the same object again, after it has put records that were not committed.
        granules.clear();
        store.init(new RestoringContext(context), root);
    }

    @Override
    public void put(Bytes key, byte[] value) {
        if (SearchKeys.isDocument(key)) {
            putAll(List.of(KeyValue.pair(key, value)));
        } else {
            store.put(key, value);
        }
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        byte[] before = store.get(key);
        if (before == null) {
            put(key, value);
        }
        return before;
    }

    @Override
    public byte[] delete(Bytes key) {
        if (!SearchKeys.isDocument(key)) {
            return store.delete(key);
        }
        byte[] before = store.get(key);
        put(key, null);
        return before;
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        Map<Bytes, byte[]> before = new LinkedHashMap<>();
        Map<Bytes, byte[]> after = new HashMap<>();
        for (KeyValue<Bytes, byte[]> entry : entries) {
            if (SearchKeys.isDocument(entry.key)) {
                if (!before.containsKey(entry.key)) {
                    before.put(entry.key, store.get(entry.key));
                }
                after.put(entry.key, entry.value);
            }
        }
        List<KeyValue<Bytes, byte[]>> all = new ArrayList<>(entries);
        before.forEach((key, value) -> {
            if (isReplaced(value, after.get(key))) {
                // In one write, so that no crash leaves a term of a redacted record.
                all.add(granules.replace(SearchKeys.documentOf(key), after));
            }
        });
        store.putAll(all);
        before.forEach((key, value) -> {
            byte[] changed = after.get(key);
            if (changed != null && !isReplaced(value, changed)) {
                // Unchanged documents too: after a crash, the store may have the document, but not the filter.
                granules.add(SearchKeys.documentOf(key), SearchDocument.terms(changed));
            } else if (changed == null && value != null) {
                granules.remove(SearchKeys.documentOf(key));
            }
        });
    }

    private static boolean isReplaced(byte[] before, byte[] after) {
        return before != null && after != null && !Arrays.equals(before, after);
    }

    private void restore(Collection<KeyValue<byte[], byte[]>> changes) {
        List<KeyValue<Bytes, byte[]>> entries = new ArrayList<>();
        int documents = 0;
        for (KeyValue<byte[], byte[]> change : changes) {
            Bytes key = Bytes.wrap(change.key);
            if (SearchKeys.isOfChangelog(key)) {
                entries.add(KeyValue.pair(key, change.value));
                documents += SearchKeys.isDocument(key) ? 1 : 0;
            }
            if (documents == MAX_RESTORED) {
                putAll(entries);
                entries.clear();
                documents = 0;
            }
        }
        putAll(entries);
    }

    @Override
    public byte[] get(Bytes key) {
        return store.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return from != null && SearchKeys.isGranule(from) ? granules.range(from, to) : store.range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return store.reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return store.all();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
        return store.reverseAll();
    }

    @Override
    public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, S serializer) {
        return store.prefixScan(prefix, serializer);
    }

    @Override
    public long approximateNumEntries() {
        return store.approximateNumEntries();
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public boolean persistent() {
        return store.persistent();
    }

    @Override
    public boolean isOpen() {
        return store.isOpen();
    }

    @Override
    public boolean managesOffsets() {
        return store.managesOffsets();
    }

    @Override
    public Long committedOffset(TopicPartition partition) {
        return store.committedOffset(partition);
    }

    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        granules.flush();
        store.commit(changelogOffsets);
    }

    @Override
    public void close() {
        try {
            // Without a commit too: the documents may be stored, and not be put again.
            if (store.isOpen()) {
                granules.flush();
            }
        } finally {
            store.close();
        }
    }

    @Override
    public <R> QueryResult<R> query(Query<R> query, PositionBound bound, QueryConfig config) {
        return store.query(query, bound, config);
    }

    @Override
    public Position getPosition() {
        return store.getPosition();
    }

    /** The context of a task, except that the changelog is restored through this store. */
    private final class RestoringContext implements StateStoreContext {
        private final StateStoreContext context;

        RestoringContext(StateStoreContext context) {
            this.context = context;
        }

        @Override
        public void register(StateStore root, StateRestoreCallback callback) {
            context.register(root, (BatchingStateRestoreCallback) SearchIndexStore.this::restore);
        }

        @Override
        public void register(StateStore root, StateRestoreCallback callback, CommitCallback commit) {
            context.register(root, (BatchingStateRestoreCallback) SearchIndexStore.this::restore, commit);
        }

        @Override
        public String applicationId() {
            return context.applicationId();
        }

        @Override
        public TaskId taskId() {
            return context.taskId();
        }

        @Override
        public Optional<RecordMetadata> recordMetadata() {
            return context.recordMetadata();
        }

        @Override
        public Serde<?> keySerde() {
            return context.keySerde();
        }

        @Override
        public Serde<?> valueSerde() {
            return context.valueSerde();
        }

        @Override
        public File stateDir() {
            return context.stateDir();
        }

        @Override
        public StreamsMetrics metrics() {
            return context.metrics();
        }

        @Override
        public Map<String, Object> appConfigs() {
            return context.appConfigs();
        }

        @Override
        public Map<String, Object> appConfigsWithPrefix(String prefix) {
            return context.appConfigsWithPrefix(prefix);
        }
    }
}
