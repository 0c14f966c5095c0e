package dev.parley.dialogue;

import dev.parley.avro.ConversationItem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Bounds the tasks or definitions that a conversation remembers. Its state contains the {@value #MAX_RECENT} most
 * recent ones and {@link StateBytes#MAX_STATE} bytes at most; when there are more, the least recently active of them
 * become {@link OlderItems}, in groups, so that a message seldom writes more than the state. An older item stays one:
 * a message about it replaces its record. Older items are trimmed in groups too, because that reads all of them: when
 * there are more items than the maximum, older ones go until three quarters of it remain, first what has expired, then
 * closed tasks, then the least recently active. Immutable and thread-safe.
 *
 * @param <T> type of the items
 */
public final class RememberedItems<T> {
    /** Maximum number of items in the state; twice as many if a conversation may have no more. */
    static final int MAX_RECENT = 32;

    private static final int KEPT_QUARTERS = 3;
    private static final int QUARTERS = 4;

    /** Follows the key of an item in the key of its text. No key of an item contains it. */
    private static final String TEXT = "/text";

    private final Form<T> form;
    private final int maxItems;
    private final int maxRecent;

    /** The items of a protocol. */
    public interface Form<T> {
        /** Key of an item among those of its conversation; the same if its texts are replaced by hashes. */
        String key(T item);

        /**
         * Returns the record of an item, without its {@link #text}.
         *
         * @param order place among the older items
         */
        ConversationItem write(T item, long order);

        /** Returns the item; null if the record, which only another client can have written, contains none. */
        T read(ConversationItem stored);

        /** Returns the place of a stored item among the older items: the higher, the later it was active. */
        default long order(T item, ConversationItem stored) {
            return stored.getOrder();
        }

        /** Approximate bytes of a stored item. */
        int bytes(T item);

        /** Whether a further message is awaited, so that the item is removed after others. */
        default boolean isAwaited(T item) {
            return true;
        }

        /** Whether idle time has closed the item. */
        default boolean isExpired(T item, long deadline) {
            return false;
        }

        /** Returns an item as if it had been last active at a time, milliseconds since the epoch. */
        default T activeAt(T item, long time) {
            return item;
        }

        /**
         * Returns a long text of an item, which has a record of its own, so that later messages about the item do not
         * write it; null if it has none.
         */
        default String text(T item) {
            return null;
        }

        /** Returns an item that was stored without its text. */
        default T withText(T item, String text) {
            return item;
        }
    }

    /**
     * Items of a conversation.
     *
     * @param recent those in its state, least recently active first
     * @param older the others; in a result, null if they did not change
     */
    public record Items<T>(List<T> recent, OlderItems older) {}

    /**
     * Result of a search.
     *
     * @param stored the item, expired or not; null if there is none
     * @param isOlder whether it is an older item, and not in the state
     * @param isExpired whether idle time has closed it
     */
    public record Found<T>(T stored, boolean isOlder, boolean isExpired) {
        /** Returns the item; null if there is none, or if it has expired. */
        public T item() {
            return isExpired ? null : stored;
        }
    }

    /**
     * An item that a message changes.
     *
     * @param found the item before
     * @param item the item after
     */
    public record Touch<T>(Found<T> found, T item) {}

    /** A readable older item and its place. */
    private record Placed<T>(T item, long order) {}

    /**
     * Creates bounds.
     *
     * @param maxItems maximum number of items
     */
    public RememberedItems(Form<T> form, int maxItems) {
        this.form = form;
        this.maxItems = maxItems;
        // Few items are better all in the state, which is exact.
        this.maxRecent = maxItems <= 2 * MAX_RECENT ? maxItems : MAX_RECENT;
    }

    /**
     * Finds an item.
     *
     * @param recent the item, if it is in the state; null otherwise
     * @param key supplies its key, under which it is searched among the older items if there are any
     */
    public Found<T> find(T recent, OlderItems older, Supplier<String> key) {
        if (recent != null || older.count() == 0) {
            return new Found<>(recent, false, false);
        }
        String wanted = key.get();
        T item = read(wanted, older.get(wanted), older::get);
        return new Found<>(item, item != null, item != null && form.isExpired(item, older.deadline()));
    }

    /** Returns the items of a state that have not expired; the same list if none has. */
    public List<T> unexpired(List<T> recent, long deadline) {
        for (T item : recent) {
            if (form.isExpired(item, deadline)) {
                List<T> open = new ArrayList<>(recent);
                open.removeIf(other -> form.isExpired(other, deadline));
                return open;
            }
        }
        return recent;
    }

    /** Returns the item of a record; null without one, or if another client has written something else there. */
    private T read(String key, ConversationItem stored, Function<String, ConversationItem> others) {
        T item = stored == null ? null : form.read(stored);
        if (item == null || !form.key(item).equals(key)) {
            return null;
        }
        if (stored.getText() == null) {
            return item;
        }
        ConversationItem text = others.apply(key + TEXT);
        return text == null || text.getText() == null ? null : form.withText(item, text.getText());
    }

    /**
     * Returns the items after one became the most recently active.
     *
     * @param before the items before
     * @param found the item before
     * @param touched the item after
     * @param sequence sequence of the message's audit record
     */
    public Items<T> touch(Items<T> before, Found<T> found, T touched, long sequence) {
        return touch(before, List.of(new Touch<>(found, touched)), sequence);
    }

    /**
     * Returns the items after several became the most recently active.
     *
     * @param before the items before
     * @param touches the changed items, each once, the latest last
     * @param sequence sequence of the message's audit record
     */
    @SuppressWarnings("ReferenceEquality")
    public Items<T> touch(Items<T> before, List<Touch<T>> touches, long sequence) {
        OlderItems older = before.older();
        Map<String, ConversationItem> changes = new HashMap<>();
        int count = older.count();
        long bytes = older.bytes();
        Set<T> replaced = Collections.newSetFromMap(new IdentityHashMap<>());
        List<T> latest = new ArrayList<>(touches.size());
        for (Touch<T> touch : touches) {
            T stored = touch.found().stored();
            if (touch.found().isOlder()) {
                put(changes, unexpired(touch.item(), older), sequence, stored);
                bytes += form.bytes(touch.item()) - form.bytes(stored);
            } else {
                replaced.add(stored);
                latest.add(touch.item());
            }
        }
        List<T> recent = before.recent();
        if (!latest.isEmpty()) {
            recent = withLatest(recent, replaced, latest);
            int displaced = displaced(recent);
            for (int i = 0; i < displaced; i++) {
                put(changes, unexpired(recent.get(i), older), sequence - displaced + i, null);
                bytes += form.bytes(recent.get(i));
            }
            count += displaced;
            recent.subList(0, displaced).clear();
        }
        OlderItems after = bounded(changes.isEmpty() ? older : older.with(changes, count, bytes), recent.size());
        return new Items<>(recent, after == before.older() ? null : after);
    }

    /** Returns recent items with others at the end, in a new list of at most the maximum number. */
    private List<T> withLatest(List<T> recent, Set<T> replaced, List<T> latest) {
        List<T> items = new ArrayList<>(recent.size() + latest.size());
        for (T item : recent) {
            if (!replaced.contains(item)) {
                items.add(item);
            }
        }
        while (!items.isEmpty() && items.size() + latest.size() > maxItems) {
            items.remove(indexToRemove(items));
        }
        items.addAll(latest.subList(Math.max(0, latest.size() - maxItems), latest.size()));
        return items;
    }

    /** Number of items at the beginning that the state must not contain; beyond its bounds, more than necessary. */
    private int displaced(List<T> recent) {
        long bytes = 0;
        for (T item : recent) {
            bytes += form.bytes(item);
        }
        if (recent.size() <= maxRecent && bytes <= StateBytes.MAX_STATE) {
            return 0;
        }
        int displaced = 0;
        while (displaced < recent.size()
                && (recent.size() - displaced > maxRecent / 2 || bytes > StateBytes.MAX_STATE / 2)) {
            bytes -= form.bytes(recent.get(displaced));
            displaced++;
        }
        return displaced;
    }

    /** Adds the record of an item, and that of its text if the text changed. */
    private void put(Map<String, ConversationItem> changes, T item, long order, T before) {
        String key = form.key(item);
        ConversationItem stored = form.write(item, order);
        String text = form.text(item);
        String textBefore = before == null ? null : form.text(before);
        if (text != null) {
            stored.setText("");
        }
        if (text != null && !text.equals(textBefore)) {
            changes.put(key + TEXT, new ConversationItem(null, null, null, null, text, 0L));
        } else if (text == null && textBefore != null) {
            changes.put(key + TEXT, null);
        }
        changes.put(key, stored);
    }

    /** Replaces each older item by another form of itself, with the same key. */
    public OlderItems replaceAll(OlderItems older, UnaryOperator<T> replacement) {
        Map<String, ConversationItem> changes = new HashMap<>();
        Map<String, Placed<T>> items = read(older, changes);
        long bytes = 0;
        for (Placed<T> placed : items.values()) {
            T item = replacement.apply(placed.item());
            if (!item.equals(placed.item())) {
                put(changes, item, placed.order(), placed.item());
            }
            bytes += form.bytes(item);
        }
        return changes.isEmpty() ? older : older.with(changes, items.size(), bytes);
    }

    /** Returns the items without some, among the older ones too, which reads all of them. */
    public Items<T> without(Items<T> before, Predicate<T> removed) {
        List<T> recent = new ArrayList<>(before.recent());
        recent.removeIf(removed);
        Map<String, ConversationItem> changes = new HashMap<>();
        int count = 0;
        long bytes = 0;
        for (Map.Entry<String, Placed<T>> entry : read(before.older(), changes).entrySet()) {
            T item = entry.getValue().item();
            if (removed.test(item)) {
                changes.put(entry.getKey(), null);
                if (form.text(item) != null) {
                    changes.put(entry.getKey() + TEXT, null);
                }
            } else {
                count++;
                bytes += form.bytes(item);
            }
        }
        return new Items<>(recent, changes.isEmpty() ? null : before.older().with(changes, count, bytes));
    }

    /** Reads the older items, and adds null to the changes for each record that belongs to none. */
    private Map<String, Placed<T>> read(OlderItems older, Map<String, ConversationItem> changes) {
        Map<String, ConversationItem> all = older.all();
        Map<String, Placed<T>> items = new HashMap<>();
        all.forEach((key, stored) -> {
            T item = read(key, stored, all::get);
            if (item != null) {
                items.put(key, new Placed<>(item, form.order(item, stored)));
            }
        });
        for (String key : all.keySet()) {
            String owner = key.endsWith(TEXT) ? key.substring(0, key.length() - TEXT.length()) : key;
            if (!items.containsKey(owner)) {
                changes.put(key, null);
            }
        }
        return items;
    }

    /** Index of the item to remove: the first one that is not awaited; otherwise the least recently active. */
    private int indexToRemove(List<T> items) {
        for (int i = 0; i < items.size(); i++) {
            if (!form.isAwaited(items.get(i))) {
                return i;
            }
        }
        return 0;
    }

    /** An item of late messages only, which a later message expires, is not expired by those that came before it. */
    private T unexpired(T item, OlderItems older) {
        return form.isExpired(item, older.deadline()) ? form.activeAt(item, older.deadline()) : item;
    }

    /** Removes the items that the bounds do not allow, and more, so that this is seldom necessary. */
    private OlderItems bounded(OlderItems older, int recent) {
        if (older.count() <= maxItems - recent && older.bytes() <= StateBytes.MAX_BYTES) {
            return older;
        }
        Map<String, ConversationItem> removed = new HashMap<>();
        Map<String, Placed<T>> items = read(older, removed);
        List<String> best = new ArrayList<>(items.keySet());
        best.sort(Comparator.<String, Boolean>comparing(
                        key -> !form.isAwaited(items.get(key).item()))
                .thenComparing(key -> items.get(key).order(), Comparator.reverseOrder())
                .thenComparing(Comparator.naturalOrder()));
        long maxCount = (long) maxItems * KEPT_QUARTERS / QUARTERS - recent;
        long maxBytes = StateBytes.MAX_BYTES / QUARTERS * KEPT_QUARTERS;
        int count = 0;
        long bytes = 0;
        for (String key : best) {
            T item = items.get(key).item();
            int size = form.bytes(item);
            boolean isExpired = form.isExpired(item, older.deadline());
            // An item that does not fit takes no other along.
            if (!isExpired && count < maxCount && bytes + size <= maxBytes) {
                count++;
                bytes += size;
            } else {
                removed.put(key, null);
                if (form.text(item) != null) {
                    removed.put(key + TEXT, null);
                }
            }
        }
        return older.with(removed, count, bytes);
    }
}
