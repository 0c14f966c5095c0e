package dev.parley.dialogue;

import dev.parley.avro.ConversationItem;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;

/**
 * The tasks or definitions of a conversation that are not in its state, because others were active later, or because
 * they are large. Each has a record of its own, so that a message reads and writes only those that it names. Contains
 * the changes since the state was read, which {@link dev.parley.stage.ConversationStore} stores with the state.
 * Immutable, but reads stored items when it needs them, so only the current state of a conversation may be used.
 *
 * @param count number of items
 * @param bytes approximate bytes of the items
 * @param source the stored items
 * @param changes items to be stored, by key; null for those to be deleted
 * @param cleared whether all stored items are to be deleted, before the changes
 * @param deadline items last active before this time have expired if they close by idle time, milliseconds since the
 *     epoch
 */
public record OlderItems(
        int count, long bytes, Source source, Map<String, ConversationItem> changes, boolean cleared, long deadline) {
    /** No older items. */
    public static final OlderItems NONE = new OlderItems(0, 0, Source.EMPTY, Map.of(), false, Long.MIN_VALUE);

    /** Maximum number of items that are read or deleted at once; more than {@link StateBytes#MAX_BYTES} allows. */
    public static final int MAX_COUNT = 1 << 17;

    /** The stored older items of one conversation. */
    public interface Source {
        /** A source without items. */
        Source EMPTY = new Source() {
            @Override
            public ConversationItem get(String key) {
                return null;
            }

            @Override
            public void scan(BiPredicate<String, ConversationItem> visitor) {
                // There is none.
            }
        };

        /** Returns an item; null if there is none with this key. */
        ConversationItem get(String key);

        /** Visits items with their keys until the visitor returns false. */
        void scan(BiPredicate<String, ConversationItem> visitor);
    }

    /**
     * Returns stored older items.
     *
     * @param count their number; another client may have written any
     * @param bytes their approximate bytes; another client may have written any
     */
    public static OlderItems of(int count, long bytes, Source source) {
        return count <= 0
                ? NONE
                : new OlderItems(
                        Math.min(count, MAX_COUNT),
                        Math.max(0, Math.min(bytes, Integer.MAX_VALUE)),
                        source,
                        Map.of(),
                        false,
                        Long.MIN_VALUE);
    }

    /** Returns these items; those that were idle since before a time, and close by that, have expired. */
    OlderItems withDeadline(long time) {
        return new OlderItems(count, bytes, source, changes, cleared, time);
    }

    /** Returns an item, expired or not; null if there is none with this key. */
    public ConversationItem get(String key) {
        if (count == 0) {
            return null;
        }
        ConversationItem changed = changes.get(key);
        return changed != null || changes.containsKey(key) ? changed : source.get(key);
    }

    /**
     * Returns the items after changes.
     *
     * @param more items by key; null for those to be removed
     * @param newCount number of items after them
     * @param newBytes approximate bytes after them
     */
    @SuppressWarnings("ReferenceEquality")
    OlderItems with(Map<String, ConversationItem> more, int newCount, long newBytes) {
        Map<String, ConversationItem> all = new HashMap<>(changes);
        all.putAll(more);
        if (source == Source.EMPTY) {
            // Nothing is stored that would have to be deleted.
            all.values().removeIf(Objects::isNull);
        }
        return new OlderItems(
                newCount, Math.max(0, newBytes), source, Collections.unmodifiableMap(all), cleared, deadline);
    }

    /** Removes all items. */
    OlderItems clear() {
        return count == 0 ? this : new OlderItems(0, 0, Source.EMPTY, Map.of(), true, deadline);
    }

    /**
     * Returns all items by key, read from the source: {@value #MAX_COUNT} at most, as another client may have stored
     * more than are counted.
     */
    Map<String, ConversationItem> all() {
        Map<String, ConversationItem> all = new HashMap<>();
        if (count > 0) {
            source.scan((key, item) -> {
                all.put(key, item);
                return all.size() < MAX_COUNT;
            });
            changes.forEach((key, item) -> {
                if (item == null) {
                    all.remove(key);
                } else {
                    all.put(key, item);
                }
            });
        }
        return all;
    }
}
