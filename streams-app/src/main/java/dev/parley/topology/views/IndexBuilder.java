package dev.parley.topology.views;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.codec.Symbols;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.kafka.SliceScheduler;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the conversations of an earlier build to the indexes, in slices between records. A restart starts over. Messages
 * of pruned conversations are gone, so their earlier codes are not indexed.
 */
final class IndexBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(IndexBuilder.class);
    private static final long SLICE_NANOS = 20_000_000;
    /** Maximum number of messages that are read at a time. */
    private static final int SLICE_MESSAGES = 500;

    private final KeyValueStore<Bytes, byte[]> store;
    private final ConversationIndex index;
    private final Topic<String, AuditRecord> topic;
    private final StoreSweeper conversations;
    private final int partition;
    private StoreSweeper.Budget budget;
    /** First message to read of the conversation in progress. */
    private long from;

    private IndexBuilder(
            int partition,
            KeyValueStore<Bytes, byte[]> store,
            ConversationIndex index,
            Topic<String, AuditRecord> topic) {
        this.partition = partition;
        this.store = store;
        this.index = index;
        this.topic = topic;
        this.conversations = new StoreSweeper(store, allConversations());
    }

    /** Schedules the slices unless the indexes are complete, as they are in a new store. */
    static void schedule(
            ProcessorContext<?, ?> context,
            KeyValueStore<Bytes, byte[]> store,
            ConversationIndex index,
            Topic<String, AuditRecord> topic) {
        if (store.get(ViewKeys.indexed()) != null) {
            return;
        }
        if (isEmpty(store)) {
            store.put(ViewKeys.indexed(), new byte[0]);
            return;
        }
        int partition = context.taskId().partition();
        LOG.info(
                "Partition {} of {} is from an earlier build; lists of conversations with filters return 503 until its"
                        + " indexes are complete",
                partition,
                ViewStores.AUDIT);
        IndexBuilder builder = new IndexBuilder(partition, store, index, topic);
        new SliceScheduler(context, SliceScheduler.INTERVAL, time -> builder.slice()).start();
    }

    private static Bytes allConversations() {
        return ViewKeys.conversations(Optional.empty(), Optional.empty());
    }

    private static boolean isEmpty(KeyValueStore<Bytes, byte[]> store) {
        Bytes prefix = allConversations();
        try (KeyValueIterator<Bytes, byte[]> any = store.range(prefix, ViewKeys.after(prefix))) {
            return !any.hasNext() || !ViewKeys.startsWith(any.peekNextKey(), prefix);
        }
    }

    /** Adds the next conversations. Returns whether more remain. */
    private boolean slice() {
        long end = System.nanoTime() + SLICE_NANOS;
        boolean complete;
        do {
            budget = new StoreSweeper.Budget(SLICE_MESSAGES);
            complete = conversations.slice(this::add);
        } while (!complete && System.nanoTime() < end);
        if (complete) {
            store.put(ViewKeys.indexed(), new byte[0]);
            LOG.info("Partition {} of {} has complete indexes", partition, ViewStores.AUDIT);
        }
        return !complete;
    }

    /** Adds a conversation; returns whether all of its messages were read. */
    private boolean add(Bytes key, byte[] value) {
        Optional<ConversationSummary> readable = ViewValues.CONVERSATION.readOrSkip(value);
        if (readable.isEmpty()) {
            return true;
        }
        ConversationSummary summary = readable.get();
        index.addAll(key, summary);
        if (summary.getRejected() + summary.getFlagged() + summary.getUndecodable() == 0) {
            return true;
        }
        List<KeyValue<Bytes, byte[]>> messages = new ArrayList<>();
        boolean all = StoreSweeper.read(
                store,
                ViewKeys.message(summary.getChain(), from),
                ViewKeys.message(summary.getChain(), summary.getLastSequence()),
                budget,
                messages::add);
        for (KeyValue<Bytes, byte[]> message : messages) {
            addCode(key, summary, message.value);
        }
        from = all ? 0 : from;
        return all;
    }

    private void addCode(Bytes key, ConversationSummary summary, byte[] value) {
        try {
            AuditRecord audit = RegistryRetry.read(topic, value);
            from = audit.getSequence() + 1;
            if (audit.getCode() != null) {
                index.addCode(key, summary, audit.getCode(), Symbols.VERDICT.of(audit.getVerdict()));
            }
        } catch (UnreadableRecordException e) {
            LOG.error("{}; the message is not indexed. Another client wrote to the changelog", e.getMessage());
            from++;
        }
    }
}
