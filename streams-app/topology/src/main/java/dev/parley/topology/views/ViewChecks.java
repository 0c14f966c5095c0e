package dev.parley.topology.views;

import dev.parley.protocol.TopicNames;
import dev.parley.topology.kafka.CheckedRestores.Store;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Checks which values the views can read, and the topics from which they are written. */
public final class ViewChecks {
    private static final int STATISTIC_OFFSET = 1;

    private ViewChecks() {}

    /** The partitioned stores by name. Kinds without a check have no value, or any. */
    public static Map<String, Store> stores(Topics topics) {
        Map<String, Map<Integer, Consumer<byte[]>>> checks = Map.of(
                ViewStores.AUDIT,
                Map.of(
                        ConversationView.CONVERSATION, ConversationView.VALUE::decode,
                        ConversationView.TOTAL, ConversationView.NUMBERS::decode,
                        MessageView.MESSAGE, values(topics.audit()),
                        MessageView.SOURCE, ChainPosition::of,
                        MessageView.CHAIN_START, MessageView.CHAIN_START_VALUE::decode,
                        MessageView.REDACTED, ViewValues::number,
                        ApprovalView.APPROVED, ViewValues::number,
                        ClaimView.CLAIM, ClaimView.VALUE::decode),
                ViewStores.LOG,
                Map.of(LogView.HEAD, values(topics.auditHead()), LogView.TILE, values(topics.auditTile())),
                ViewStores.CHECKPOINTS,
                Map.of(
                        CheckpointView.NODE, values(topics.checkpoint()),
                        CheckpointView.ORDINAL, CheckpointView.ENTRY::decode,
                        ParkedItemView.ITEM, values(topics.parkedItem())),
                ViewStores.DEAD_LETTERS,
                Map.of(DeadLetterView.SUMMARY, DeadLetterView.VALUE::decode));
        Map<String, Store> stores = new HashMap<>();
        checks.forEach((name, kinds) -> stores.put(
                name,
                new Store(
                        sources(name, topics.names()),
                        (key, value) ->
                                kinds.getOrDefault((int) key[0], any -> {}).accept(value))));
        stores.put(ViewStores.STATISTICS, new Store(sources(ViewStores.STATISTICS, topics.names()), (key, value) -> {
            if (key[0] == StatisticView.ROW) {
                long statistic = ByteBuffer.wrap(key).getLong(STATISTIC_OFFSET);
                RegistryRetry.read(Statistic.values()[Math.toIntExact(statistic)].topic(topics), value);
            } else if (key[0] == OpenItemView.ITEM) {
                RegistryRetry.read(topics.openItem(), value);
            } else {
                ViewValues.number(value);
            }
        }));
        return stores;
    }

    private static Consumer<byte[]> values(Topic<?, ?> topic) {
        return value -> RegistryRetry.read(topic, value);
    }

    /** The topics whose partitions a partitioned store has. */
    public static Set<String> sources(String store, TopicNames topics) {
        return switch (store) {
            case ViewStores.AUDIT -> Set.of(topics.audit());
            case ViewStores.LOG -> Set.of(topics.auditHead(), topics.auditTile());
            case ViewStores.CHECKPOINTS -> Set.of(topics.checkpoint(), topics.parkedItem());
            case ViewStores.DEAD_LETTERS -> Set.copyOf(topics.deadLetters());
            case ViewStores.STATISTICS ->
                Set.of(topics.traffic(), topics.violation(), topics.edge(), topics.turnaround(), topics.openItem());
            default -> throw new IllegalArgumentException(store + " has no partitions");
        };
    }
}
