package dev.parley.items;

import dev.parley.avro.TrackedItem;
import dev.parley.dialogue.StoredText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The open items of one conversation while one audit record is processed. The order is that of opening or renewal, the
 * latest last.
 */
public final class OpenItems {
    private final List<TrackedItem> items;
    private final long sequence;
    private final long time;
    private final ItemListener listener;

    /**
     * Continues with stored items.
     *
     * @param items items before the record; not changed
     * @param sequence sequence of the record in its chain
     * @param time time of the record, in milliseconds since the epoch
     */
    OpenItems(List<TrackedItem> items, long sequence, long time, ItemListener listener) {
        this.items = new ArrayList<>(items);
        this.sequence = sequence;
        this.time = time;
        this.listener = listener;
    }

    List<TrackedItem> all() {
        return items;
    }

    /** Opens an item. Beyond the maximum of a conversation, the oldest is dropped. */
    void open(ItemKind kind, String id, String agent, String requester, ByteBuffer relayed) {
        TrackedItem item = new TrackedItem(
                kind.name(), stored(id), stored(agent), stored(requester), sequence, time, time, relayed, sequence);
        items.add(item);
        listener.opened(item);
        if (items.size() > ItemTracker.MAX_ITEMS) {
            listener.dropped(items.remove(0));
        }
    }

    /** Notes activity on an item. Its opening time stays. */
    void touch(TrackedItem item) {
        item.setLastActivity(Math.max(time, item.getLastActivity()));
        listener.touched(item);
    }

    /** Notes activity on an item, and makes it the latest. */
    void renew(TrackedItem item) {
        items.removeIf(each -> isSame(each, item));
        items.add(item);
        item.setPosition(sequence);
        touch(item);
    }

    /** Closes an item; does nothing if it is null. */
    void close(TrackedItem item, ItemOutcome outcome, String agent) {
        if (item == null) {
            return;
        }
        items.removeIf(each -> isSame(each, item));
        listener.closed(item, outcome, agent);
    }

    void dropIf(Predicate<TrackedItem> which) {
        items.removeIf(item -> {
            boolean dropped = which.test(item);
            if (dropped) {
                listener.dropped(item);
            }
            return dropped;
        });
    }

    /** Returns the latest item that fits; null if there is none. */
    TrackedItem latest(Predicate<TrackedItem> which) {
        for (int i = items.size() - 1; i >= 0; i--) {
            if (which.test(items.get(i))) {
                return items.get(i);
            }
        }
        return null;
    }

    /** Returns the latest item with this ID; null if there is none. */
    TrackedItem named(String id) {
        StoredText wanted = new StoredText(id);
        return latest(item -> wanted.matches(item.getItem()));
    }

    /** Equal items are not the same: a hostile audit topic may repeat a record. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(TrackedItem one, TrackedItem other) {
        return one == other;
    }

    private static String stored(String text) {
        return text != null && text.length() > ItemTracker.MAX_TEXT ? StoredText.hash(text) : StoredText.encode(text);
    }
}
