package dev.parley.topology.views;

import dev.parley.avro.ConversationSummary;
import dev.parley.topology.views.ViewKeys.ChainStart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Forgets from {@link ViewStores#AUDIT} the messages of conversations that have been silent for long. What is left is
 * the summary, the place of each message in its chain, and where the chain begins now. That is put before anything
 * goes: from then on nobody is shown a part of what was. If the process dies in between, a later sweep finds what is
 * left of the messages.
 */
final class IdleConversationPruner {
    /** Most messages of a slice. */
    static final int MESSAGES = 2_000;

    private final KeyValueStore<Bytes, byte[]> store;
    private final long millis;
    private final StoreSweeper conversations;

    /**
     * Conversations of a store.
     *
     * @param millis how long they may be silent
     */
    IdleConversationPruner(KeyValueStore<Bytes, byte[]> store, long millis) {
        this.store = store;
        this.millis = millis;
        this.conversations = new StoreSweeper(store, ViewKeys.conversations(Optional.empty(), Optional.empty()));
    }

    /** Looks at the next of them. */
    void forget(long now) {
        StoreSweeper.Budget budget = new StoreSweeper.Budget(MESSAGES);
        conversations.slice((key, value) -> {
            Optional<ConversationSummary> readable = ViewValues.CONVERSATION.readOrSkip(value);
            if (readable.isEmpty()) {
                // The next record of the conversation begins the summary again.
                store.delete(key);
                return true;
            }
            ConversationSummary summary = readable.get();
            long first = begin(summary, now);
            return first == 0 || deleteBefore(first, summary.getChain(), budget);
        });
    }

    /** From where on the messages are kept. */
    private long begin(ConversationSummary summary, long now) {
        Bytes key = ViewKeys.beginning(summary.getChain());
        byte[] value = store.get(key);
        long first = value == null ? 0 : ChainStart.of(value).first();
        boolean silent = summary.getLastTime().toEpochMilli() < now - millis;
        if (silent && first <= summary.getLastSequence()) {
            first = summary.getLastSequence() + 1;
            store.put(key, new ChainStart(first, now).toBytes());
        }
        return first;
    }

    /** Whether the budget was enough to delete all. */
    private boolean deleteBefore(long first, String chain, StoreSweeper.Budget budget) {
        List<Bytes> messages = new ArrayList<>();
        boolean all = StoreSweeper.read(
                store,
                ViewKeys.message(chain, 0),
                ViewKeys.message(chain, first - 1),
                budget,
                message -> messages.add(message.key));
        messages.forEach(store::delete);
        return all;
    }
}
