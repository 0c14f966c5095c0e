package dev.parley.topology.analytics;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.OpenItem;
import dev.parley.avro.TrackedItem;
import dev.parley.avro.TrackedItems;
import dev.parley.decode.ConversationKey;
import dev.parley.items.ItemListener;
import dev.parley.items.ItemOutcome;
import dev.parley.items.ItemTracker;
import dev.parley.topology.topics.Statistic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The open items of the conversations of one task: in memory, and in a store in which a message writes what it changes.
 * A task has a maximum number of items; beyond it, the items of the conversation that was least recently active are
 * dropped. Not thread-safe.
 */
final class OpenItemStore {
    /** Maximum length of a chain whose items are tracked. */
    static final int MAX_CHAIN_LENGTH = MinuteCounts.MAX_KEY_LENGTH;

    private final KeyValueStore<String, TrackedItems> store;
    private final ItemTracker tracker;
    private final int maxItems;
    private final BiConsumer<String, OpenItem> rows;

    /** Conversations with open items. */
    private final Map<String, Tracked> byChain = new HashMap<>();

    /** The same, the least recently active first. */
    private final TreeSet<Tracked> byActivity =
            new TreeSet<>(Comparator.comparingLong(Tracked::lastActivity).thenComparing(Tracked::chain));

    private int total;
    private boolean isLoaded;

    /** A conversation with open items. */
    private record Tracked(String chain, long lastActivity, TrackedItems open) {
        int items() {
            return open.getItems().size();
        }
    }

    /**
     * Tracks items in a store.
     *
     * @param store read at the first use, because it may be restored after the processor is initialized
     * @param maxItems maximum number of open items
     * @param tracker follows the items
     * @param rows consumer of the changed rows by key; null is a tombstone
     */
    OpenItemStore(
            KeyValueStore<String, TrackedItems> store,
            int maxItems,
            ItemTracker tracker,
            BiConsumer<String, OpenItem> rows) {
        this.store = store;
        this.tracker = tracker;
        this.maxItems = maxItems;
        this.rows = rows;
    }

    /**
     * Follows an audit record.
     *
     * @param time time of the record, in milliseconds since the epoch
     * @param sink receives the turnaround of each item that the record closes
     * @return number of items that were dropped because of a bound
     */
    int follow(AuditRecord audit, long time, CountSink sink) {
        load();
        String chain = audit.getChain();
        Tracked known = byChain.get(chain);
        if (audit.getRedaction() != null) {
            if (known != null && !audit.getRedaction().getApproves()) {
                redact(known);
            }
            return 0;
        }
        if (audit.getMessage() == null || known == null && !tracker.mayOpen(audit)) {
            return 0;
        }
        Optional<ConversationKey> key = key(chain);
        if (key.isEmpty()) {
            return 0;
        }
        Changes changes = new Changes(this, key.get(), chain, time, sink);
        put(chain, tracker.follow(known == null ? null : known.open(), audit, time, changes));
        return evict();
    }

    /**
     * Ends the items of conversations that have been idle for twice the idle time. The tracker ends items exactly, at
     * the next message of the conversation; records may arrive late.
     *
     * @param now stream time
     * @param limit maximum number of conversations
     * @param sink receives the turnaround of each item that is hung
     * @return whether more may remain
     */
    boolean expire(long now, int limit, CountSink sink) {
        load();
        for (int i = 0; i < limit && !byActivity.isEmpty(); i++) {
            Tracked oldest = byActivity.first();
            if ((now - oldest.lastActivity()) / 2 <= tracker.idleMs()) {
                return false;
            }
            key(oldest.chain())
                    .map(key -> new Changes(this, key, oldest.chain(), now, sink))
                    .ifPresent(changes -> oldest.open().getItems().stream()
                            .filter(TrackedItem::getMayHang)
                            .forEach(item -> changes.count(item, ItemOutcome.HUNG, null, 0)));
            drop(oldest);
        }
        return !byActivity.isEmpty();
    }

    private int evict() {
        int dropped = 0;
        while (total > maxItems) {
            Tracked oldest = byActivity.first();
            dropped += oldest.items();
            drop(oldest);
        }
        return dropped;
    }

    private void drop(Tracked oldest) {
        oldest.open().getItems().forEach(item -> remove(oldest.chain(), item));
        put(oldest.chain(), null);
    }

    private void redact(Tracked known) {
        TrackedItems redacted = ItemTracker.redacted(known.open());
        put(known.chain(), redacted);
        key(known.chain()).ifPresent(key -> redacted.getItems().forEach(item -> put(known.chain(), key, item)));
    }

    private void put(String chain, ConversationKey key, TrackedItem item) {
        store(chain, item);
        if (!item.getCanceled()) {
            rows.accept(rowKey(chain, item), row(key, item));
        }
    }

    private void store(String chain, TrackedItem item) {
        store.put(rowKey(chain, item), new TrackedItems(0L, null, List.of(item)));
    }

    private void remove(String chain, TrackedItem item) {
        store.put(rowKey(chain, item), null);
        if (!item.getCanceled()) {
            rows.accept(rowKey(chain, item), null);
        }
    }

    private void put(String chain, TrackedItems items) {
        Tracked before = byChain.remove(chain);
        if (before != null) {
            byActivity.remove(before);
            total -= before.items();
        }
        if (items != null) {
            add(chain, items);
            store.put(chain, new TrackedItems(items.getLastActivity(), items.getState(), List.of()));
        } else if (before != null) {
            store.put(chain, null);
        }
    }

    private void add(String chain, TrackedItems items) {
        Tracked tracked = new Tracked(chain, items.getLastActivity(), items);
        byChain.put(chain, tracked);
        byActivity.add(tracked);
        total += tracked.items();
    }

    /** Reads the store, once. It has at most the maximum number of items. */
    private void load() {
        if (isLoaded) {
            return;
        }
        isLoaded = true;
        Map<String, TrackedItems> all = new HashMap<>();
        try (KeyValueIterator<String, TrackedItems> stored = store.all()) {
            stored.forEachRemaining(next -> load(next.key, next.value, all));
        }
        all.forEach((chain, items) -> {
            items.getItems().sort(Comparator.comparingLong(TrackedItem::getPosition));
            add(chain, items);
        });
    }

    private static void load(String key, TrackedItems stored, Map<String, TrackedItems> all) {
        if (stored == null) {
            return;
        }
        int bar = stored.getItems().isEmpty() ? -1 : key.lastIndexOf('|');
        TrackedItems items = all.computeIfAbsent(
                bar < 0 ? key : key.substring(0, bar), any -> new TrackedItems(0L, null, new ArrayList<>()));
        items.getItems().addAll(stored.getItems());
        if (bar < 0) {
            items.setLastActivity(stored.getLastActivity());
            items.setState(stored.getState());
        }
    }

    /** Returns the conversation of a chain; empty if the chain is very long or none of a conversation. */
    private static Optional<ConversationKey> key(String chain) {
        return chain.length() > MAX_CHAIN_LENGTH ? Optional.empty() : ConversationKey.find(chain);
    }

    private static String rowKey(String chain, TrackedItem item) {
        return chain + "|" + item.getSequence();
    }

    private static OpenItem row(ConversationKey key, TrackedItem item) {
        return new OpenItem(
                key.namespace(),
                key.symbol().name(),
                key.conversation(),
                item.getSequence(),
                item.getKind(),
                ItemTracker.shown(item.getItem()),
                ItemTracker.shown(item.getName()),
                ItemTracker.shown(item.getAgent()),
                ItemTracker.shown(item.getRequester()),
                Instant.ofEpochMilli(item.getSince()));
    }

    /** Stores the changed items, writes their rows, and counts the closed ones. */
    private record Changes(OpenItemStore open, ConversationKey key, String chain, long time, CountSink sink)
            implements ItemListener {

        @Override
        public void opened(TrackedItem item) {
            open.put(chain, key, item);
        }

        @Override
        public void touched(TrackedItem item) {
            open.store(chain, item);
        }

        @Override
        public void closed(TrackedItem item, ItemOutcome outcome, String agent, long bytes) {
            count(item, outcome, agent, bytes);
            open.remove(chain, item);
        }

        void count(TrackedItem item, ItemOutcome outcome, String agent, long bytes) {
            Dimensions dimensions = Dimensions.of(
                    Statistic.TURNAROUND,
                    key.namespace(),
                    key.symbol().name(),
                    agent,
                    item.getKind(),
                    ItemTracker.shown(item.getName()),
                    outcome.name());
            long millis = Math.max(0, time - item.getSince());
            sink.add(dimensions, TurnaroundBuckets.counts(millis, item.getRequestBytes(), bytes));
        }

        @Override
        public void dropped(TrackedItem item) {
            open.remove(chain, item);
        }
    }
}
