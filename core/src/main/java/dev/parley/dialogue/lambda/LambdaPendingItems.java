package dev.parley.dialogue.lambda;

import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.dialogue.KeptText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What has been said in a Λ conversation and awaits an answer: one item for each direction, the latest last. A
 * direction is a sender; those whom nobody knows are one. Works on its own copy of the list.
 */
final class LambdaPendingItems {
    private final List<LambdaPending> items;
    private final int limit;

    /**
     * @param items the items before the message; not changed
     * @param limit most items that are kept; beyond, the oldest goes first
     */
    LambdaPendingItems(List<LambdaPending> items, int limit) {
        this.items = new ArrayList<>(items);
        this.limit = limit;
    }

    /** The items as they stand now. */
    List<LambdaPending> items() {
        return items;
    }

    /** Whether the latest item is the sender's own; false when either of them is not known. */
    boolean latestIsOwn(String sender) {
        return !items.isEmpty()
                && sender != null
                && new KeptText(sender).matches(items.get(items.size() - 1).getSender());
    }

    /** Nothing is pending any more. */
    void clear() {
        items.clear();
    }

    /**
     * Something that awaits an answer. It replaces what else its sender had pending. The next leg of a relay is what
     * its first speaker said and no item of its own.
     *
     * @param relayed hash of what was relayed; null when the message neither was relayed nor repeats what was
     */
    void open(String sender, LambdaState opened, String id, ByteBuffer relayed) {
        if (relayed != null) {
            for (LambdaPending item : items) {
                if (relayed.equals(item.getRelayed())) {
                    return;
                }
            }
        }
        KeptText own = new KeptText(sender);
        items.removeIf(item -> own.matches(item.getSender()));
        if (items.size() == limit) {
            items.remove(0);
        }
        items.add(new LambdaPending(KeptText.keep(sender), opened, KeptText.keep(id), relayed));
    }

    /**
     * Takes off what an answer settles: the item that the answer names, else the latest of the other side.
     *
     * @param replyTo wire id of what is answered; null when the answer names none
     */
    void settle(String sender, String replyTo) {
        int settled = -1;
        for (int i = items.size() - 1; i >= 0; i--) {
            if (fromOtherSide(items.get(i), sender)) {
                if (replyTo != null
                        && new KeptText(replyTo).matches(items.get(i).getId())) {
                    settled = i;
                    break;
                }
                settled = settled < 0 ? i : settled;
            }
        }
        if (settled >= 0) {
            items.remove(settled);
        }
    }

    /**
     * The offer that an agreement accepts: the other side's that it names, else the latest of the other side.
     *
     * @param replyTo wire id of what is answered; null when the answer names none
     */
    Optional<LambdaPending> offer(String sender, String replyTo) {
        LambdaPending latest = null;
        for (LambdaPending item : items) {
            if (item.getOpened() == LambdaState.OFF_PEND && fromOtherSide(item, sender)) {
                if (replyTo != null && new KeptText(replyTo).matches(item.getId())) {
                    return Optional.of(item);
                }
                latest = item;
            }
        }
        return Optional.ofNullable(latest);
    }

    /** Takes off the other side's question or command, which an assertion answers. */
    void settleByAssertion(String sender) {
        items.removeIf(item -> fromOtherSide(item, sender)
                && (item.getOpened() == LambdaState.Q_PEND || item.getOpened() == LambdaState.CMD_PEND));
    }

    /** Whether anything that is pending was relayed. */
    boolean anyRelayed() {
        for (LambdaPending item : items) {
            if (item.getRelayed() != null) {
                return true;
            }
        }
        return false;
    }

    private static boolean fromOtherSide(LambdaPending item, String sender) {
        return sender == null || !new KeptText(sender).matches(item.getSender());
    }
}
