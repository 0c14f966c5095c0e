package dev.parley.dialogue.lambda;

import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.dialogue.StoredText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Statements of a Λ conversation that await an answer: one item per sender, the latest last. Unknown senders count as
 * one. Works on its own copy of the list.
 */
final class LambdaPendingItems {
    private final List<LambdaPending> items;
    private final int limit;

    /**
     * Copies the items.
     *
     * @param items items before the message; not changed
     * @param limit maximum number of items; beyond it, the oldest is removed first
     */
    LambdaPendingItems(List<LambdaPending> items, int limit) {
        this.items = new ArrayList<>(items);
        this.limit = limit;
    }

    /** The items after the changes so far. */
    List<LambdaPending> items() {
        return items;
    }

    /** The latest item; there is one. */
    LambdaPending latest() {
        return items.get(items.size() - 1);
    }

    /** Whether the latest item is the sender's own; false if either is unknown. */
    boolean latestIsOwn(String sender) {
        return !items.isEmpty()
                && sender != null
                && new StoredText(sender).matches(items.get(items.size() - 1).getSender());
    }

    void clear() {
        items.clear();
    }

    /**
     * Adds a statement that awaits an answer, in place of the sender's earlier item. A further leg of a relay adds no
     * item: it repeats what its first speaker said.
     *
     * @param relayed hash of the relayed content; null if the message neither was relayed nor repeats relayed content
     */
    void open(String sender, LambdaState opened, String id, ByteBuffer relayed) {
        if (relayed != null) {
            for (LambdaPending item : items) {
                if (relayed.equals(item.getRelayed())) {
                    return;
                }
            }
        }
        StoredText own = new StoredText(sender);
        items.removeIf(item -> own.matches(item.getSender()));
        if (items.size() == limit) {
            items.remove(0);
        }
        items.add(new LambdaPending(StoredText.bounded(sender), opened, StoredText.bounded(id), relayed));
    }

    /**
     * Removes the item that an answer settles: the item that the answer names, otherwise the latest of the other side.
     *
     * @param replyTo wire ID of the answered message; null if the answer names none
     */
    void settle(String sender, String replyTo) {
        items.remove(answered(sender, replyTo, null));
    }

    /**
     * Returns the offer that an agreement accepts: the one of the other side that it names, otherwise the latest of the
     * other side.
     *
     * @param replyTo wire ID of the answered message; null if the agreement names none
     */
    Optional<LambdaPending> offer(String sender, String replyTo) {
        return Optional.ofNullable(answered(sender, replyTo, LambdaState.OFF_PEND));
    }

    /** The other side's item that an answer names, otherwise its latest; with a state, one that opened the state. */
    private LambdaPending answered(String sender, String replyTo, LambdaState opened) {
        LambdaPending latest = null;
        for (int i = items.size() - 1; i >= 0; i--) {
            LambdaPending item = items.get(i);
            if ((opened == null || item.getOpened() == opened) && fromOtherSide(item, sender)) {
                if (replyTo == null || new StoredText(replyTo).matches(item.getId())) {
                    return item;
                }
                latest = latest == null ? item : latest;
            }
        }
        return latest;
    }

    /** Removes the other side's question or command, which an assertion answers. */
    void settleByAssertion(String sender) {
        items.removeIf(item -> fromOtherSide(item, sender)
                && (item.getOpened() == LambdaState.Q_PEND || item.getOpened() == LambdaState.CMD_PEND));
    }

    boolean anyRelayed() {
        for (LambdaPending item : items) {
            if (item.getRelayed() != null) {
                return true;
            }
        }
        return false;
    }

    private static boolean fromOtherSide(LambdaPending item, String sender) {
        return sender == null || !new StoredText(sender).matches(item.getSender());
    }
}
