package dev.parley.items;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.TrackedItem;
import dev.parley.dialogue.StoredText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The open items of one conversation while one audit record is processed. The order is that of opening or renewal, the
 * latest last.
 */
public final class OpenItems {
    private final List<TrackedItem> items;
    private final AuditRecord audit;
    private final long time;
    private final ItemListener listener;

    /**
     * Continues with stored items.
     *
     * @param items items before the record; not changed
     * @param audit the record, with a message
     * @param time time of the record, in milliseconds since the epoch
     */
    OpenItems(List<TrackedItem> items, AuditRecord audit, long time, ItemListener listener) {
        this.items = new ArrayList<>(items);
        this.audit = audit;
        this.time = time;
        this.listener = listener;
    }

    List<TrackedItem> all() {
        return items;
    }

    /** Opens an item. Beyond the maximum of a conversation, the oldest is dropped. */
    void open(ItemKind kind, String id, String agent, String requester, ByteBuffer relayed) {
        TrackedItem item = new TrackedItem();
        item.setItem(stored(id));
        item.setAgent(stored(agent));
        item.setRequester(stored(requester));
        item.setRelayed(relayed);
        open(kind, item);
    }

    /** Opens an item with these properties. */
    void open(ItemKind kind, TrackedItem item) {
        item.setKind(kind.name());
        item.setSequence(audit.getSequence());
        item.setPosition(audit.getSequence());
        item.setSince(time);
        item.setLastActivity(time);
        item.setRequestBytes(bytes());
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
        item.setPosition(audit.getSequence());
        touch(item);
    }

    /** Closes an item by its answer, the message of the record; does nothing if it is null. */
    void close(TrackedItem item, ItemOutcome outcome, String agent) {
        if (item == null) {
            return;
        }
        items.removeIf(each -> isSame(each, item));
        listener.closed(item, outcome, agent, bytes());
    }

    /** Counts an item as canceled, and keeps it for a late answer; does nothing if it is null. */
    void cancel(TrackedItem item, String agent) {
        if (item == null) {
            return;
        }
        listener.closed(item, ItemOutcome.CANCELED, agent, 0);
        item.setCanceled(true);
        item.setMayHang(false);
        touch(item);
    }

    /** Notes that messages were lost: they may have been the answers to the items. */
    void lose() {
        for (TrackedItem item : items) {
            if (item.getMayHang()) {
                item.setMayHang(false);
                listener.touched(item);
            }
        }
    }

    /** Drops items without an outcome. */
    void dropIf(Predicate<TrackedItem> which) {
        removeIf(which, listener::dropped);
    }

    /** Ends items without an answer: those that may hang are hung, the others are dropped. */
    void endIf(Predicate<TrackedItem> which) {
        removeIf(which, item -> {
            if (item.getMayHang()) {
                listener.closed(item, ItemOutcome.HUNG, null, 0);
            } else {
                listener.dropped(item);
            }
        });
    }

    private void removeIf(Predicate<TrackedItem> which, Consumer<TrackedItem> then) {
        items.removeIf(item -> {
            boolean isRemoved = which.test(item);
            if (isRemoved) {
                then.accept(item);
            }
            return isRemoved;
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

    private long bytes() {
        return audit.getMessage().getRaw().remaining();
    }

    /** Returns a text, or the hash of a long one, in its stored form. */
    static String stored(String text) {
        return text != null && text.length() > ItemTracker.MAX_TEXT ? StoredText.hash(text) : StoredText.encode(text);
    }
}
