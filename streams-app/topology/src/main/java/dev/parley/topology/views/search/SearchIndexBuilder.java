package dev.parley.topology.views.search;

import dev.parley.avro.AuditRecord;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.kafka.SliceScheduler;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.util.Arrays;
import java.util.function.BiPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the search index of a store to the state that the configuration wants, in slices between records: complete, or
 * empty. An index that is not complete in its current version is deleted first, because it may have terms of messages
 * that were redacted while nothing maintained it; then all messages are added. A restart starts over.
 */
public final class SearchIndexBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(SearchIndexBuilder.class);
    private static final long SLICE_NANOS = 20_000_000;

    private final KeyValueStore<Bytes, byte[]> store;
    private final SearchIndex index;
    private final Topic<String, AuditRecord> topic;
    private final int partition;
    private final Bytes messages;
    private StoreSweeper sweeper;
    private BiPredicate<Bytes, byte[]> visitor;
    private boolean isAdding;

    private SearchIndexBuilder(
            int partition,
            KeyValueStore<Bytes, byte[]> store,
            SearchIndex index,
            Topic<String, AuditRecord> topic,
            Bytes messages) {
        this.messages = messages;
        this.partition = partition;
        this.store = store;
        this.index = index;
        this.topic = topic;
        sweep(SearchKeys.documents(), this::delete);
    }

    /**
     * Schedules the slices unless there is nothing to do.
     *
     * @param messages key prefix of the audit records
     */
    public static void schedule(
            ProcessorContext<?, ?> context,
            KeyValueStore<Bytes, byte[]> store,
            SearchIndex index,
            Topic<String, AuditRecord> topic,
            Bytes messages) {
        if (index.version()
                .filter(version -> Arrays.equals(version, store.get(SearchKeys.searchable())))
                .isPresent()) {
            return;
        }
        // Nothing maintains the index from here on, or it is not complete.
        store.delete(SearchKeys.searchable());
        if (!StoreSweeper.hasAny(store, SearchKeys.documents())
                && (!index.isEnabled() || !StoreSweeper.hasAny(store, messages))) {
            if (index.isEnabled()) {
                complete(store, index);
            }
            return;
        }
        int partition = context.taskId().partition();
        LOG.info(
                "The search index of partition {} of {} is being {}",
                partition,
                ViewStores.AUDIT,
                index.isEnabled() ? "built; searches return 503 until it is complete" : "deleted");
        SearchIndexBuilder builder = new SearchIndexBuilder(partition, store, index, topic, messages);
        new SliceScheduler(context, SliceScheduler.INTERVAL, time -> builder.slice()).start();
    }

    private static void complete(KeyValueStore<Bytes, byte[]> store, SearchIndex index) {
        store.put(SearchKeys.searchable(), index.version().orElseThrow());
    }

    private void sweep(Bytes prefix, BiPredicate<Bytes, byte[]> each) {
        sweeper = new StoreSweeper(store, prefix);
        visitor = (key, value) -> !ViewKeys.startsWith(key, prefix) || each.test(key, value);
    }

    /** Visits the next entries. Returns whether more remain. */
    private boolean slice() {
        long end = System.nanoTime() + SLICE_NANOS;
        do {
            if (sweeper.slice(visitor)) {
                if (isAdding || !index.isEnabled()) {
                    if (isAdding) {
                        complete(store, index);
                    }
                    LOG.info("The search index of partition {} of {} is ready", partition, ViewStores.AUDIT);
                    return false;
                }
                isAdding = true;
                sweep(messages, this::add);
            }
        } while (System.nanoTime() < end);
        return true;
    }

    private boolean delete(Bytes key, byte[] value) {
        byte[] document = SearchKeys.documentOf(key);
        index.delete(document);
        if (!key.equals(SearchKeys.document(document))) {
            // Its length is wrong: another client wrote it to the changelog.
            store.delete(key);
        }
        return true;
    }

    private boolean add(Bytes key, byte[] value) {
        try {
            index.add(RegistryRetry.read(topic, value));
        } catch (UnreadableRecordException e) {
            LOG.error("{}; the message is not indexed. Another client wrote to the changelog", e.getMessage());
        }
        return true;
    }
}
