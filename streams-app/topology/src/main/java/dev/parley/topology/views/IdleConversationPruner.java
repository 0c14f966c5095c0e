package dev.parley.topology.views;

import dev.parley.avro.ChainStart;
import dev.parley.avro.ConversationSummary;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewStores;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Prunes the messages of idle conversations from {@link ViewStores#AUDIT}. It keeps the summary, the chain position of
 * each message, and the new start of the chain. It stores the start first, so that no query returns a partly deleted
 * range. After a crash, a later sweep deletes the remaining messages.
 */
final class IdleConversationPruner {
    /** Maximum number of messages in one slice. */
    static final int MAX_MESSAGES = 2_000;

    private final KeyValueStore<Bytes, byte[]> store;
    private final Deletion deletion;
    private final long retentionMs;
    private final StoreSweeper conversations;

    /** Removes what the store derives from a message. */
    interface Deletion {
        /**
         * Receives a message before it is deleted.
         *
         * @param conversation key of its conversation
         * @param message value of the message
         * @param whole whether all messages of the conversation are being deleted
         */
        void delete(Bytes conversation, byte[] message, boolean whole);
    }

    /**
     * Creates a pruner.
     *
     * @param deletion receives each message that is deleted
     * @param retentionMs maximum idle time of a conversation, in milliseconds
     */
    IdleConversationPruner(KeyValueStore<Bytes, byte[]> store, Deletion deletion, long retentionMs) {
        this.store = store;
        this.deletion = deletion;
        this.retentionMs = retentionMs;
        this.conversations = new StoreSweeper(store, ConversationView.prefix(Optional.empty(), Optional.empty()));
    }

    /** Processes the next slice of conversations. Returns whether it was the last one. */
    boolean prune(long now) {
        StoreSweeper.Budget budget = new StoreSweeper.Budget(MAX_MESSAGES);
        return conversations.slice((key, value) -> {
            Optional<ConversationSummary> readable = ConversationView.VALUE.readOrSkip(value);
            if (readable.isEmpty()) {
                // The next record of the conversation starts a new summary.
                store.delete(key);
                return true;
            }
            ConversationSummary summary = readable.get();
            long first = firstKept(summary, now);
            return first == 0 || deleteBefore(first, key, summary, budget);
        });
    }

    /** Returns the sequence of the first message to keep, and stores it before any message is deleted. */
    private long firstKept(ConversationSummary summary, long now) {
        Bytes key = MessageView.chainStart(summary.getChain());
        byte[] value = store.get(key);
        long first =
                value == null ? 0 : MessageView.CHAIN_START_VALUE.decode(value).getFirst();
        boolean idle = summary.getLastTime().toEpochMilli() < now - retentionMs;
        if (idle && first <= summary.getLastSequence()) {
            first = summary.getLastSequence() + 1;
            store.put(key, MessageView.CHAIN_START_VALUE.encode(new ChainStart(first, Instant.ofEpochMilli(now))));
        }
        return first;
    }

    /** Deletes the earlier messages; returns whether the budget sufficed for all. */
    private boolean deleteBefore(
            long first, Bytes conversation, ConversationSummary summary, StoreSweeper.Budget budget) {
        String chain = summary.getChain();
        List<KeyValue<Bytes, byte[]>> messages = new ArrayList<>();
        boolean all = StoreSweeper.read(
                store, MessageView.key(chain, 0), MessageView.key(chain, first - 1), budget, messages::add);
        for (KeyValue<Bytes, byte[]> message : messages) {
            deletion.delete(conversation, message.value, first > summary.getLastSequence());
            store.delete(message.key);
        }
        return all;
    }
}
