package dev.parley.topology.views;

import dev.parley.avro.OpenItem;
import dev.parley.avro.Protocol;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.read.PrefixScan;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The open items in {@link ViewStores#STATISTICS} in the order of their times, until a tombstone ends them. Their
 * values are those of their topic.
 */
public record OpenItemView(StoreReader store, Topic<String, OpenItem> topic) {
    static final int ITEM = 2;
    private static final int SINCE = 3;

    /**
     * Filter of a list of open items; an empty part matches all.
     *
     * @param agent agent that must answer
     * @param requester agent that asked
     */
    public record Filter(
            Optional<String> namespace,
            Optional<Protocol> protocol,
            Optional<String> agent,
            Optional<String> requester) {

        /** Whether an item is selected. */
        public boolean matches(OpenItem item) {
            return Views.selects(namespace, item.getNamespace())
                    && Views.selects(protocol.map(Protocol::name), item.getProtocol())
                    && Views.selects(agent, item.getAgent())
                    && Views.selects(requester, item.getRequester());
        }
    }

    /**
     * Lists the requests that await their results, the oldest first; otherwise like {@link ConversationView#list},
     * except that a filter reads the rows that it leaves out.
     */
    public Optional<Bytes> list(Filter filter, Optional<Bytes> after, int limit, BiPredicate<Bytes, OpenItem> page) {
        Predicate<OpenItem> selected = item -> store.scope().includes(item.getNamespace()) && filter.matches(item);
        Bytes rows = ViewKeys.of(ITEM).build();
        return store.partitions(partitions -> PrefixScan.of(partitions, rows)
                .after(after)
                .scan(limit, (entry, value) -> Optional.of(topic.read(value)).filter(selected), page));
    }

    /** Writes a row of the topic. Every put may be repeated. */
    record Writer(Topic<String, OpenItem> topic) implements StoreView.Writer {
        @Override
        public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store, Consumer<String> chain) {
            if (record.key() == null) {
                return;
            }
            String row = new String(record.key(), StandardCharsets.UTF_8);
            Bytes sinceKey = ViewKeys.of(SINCE).text(row).build();
            byte[] known = store.get(sinceKey);
            if (known != null) {
                store.delete(key(ViewValues.number(known), row));
            }
            if (record.value() == null) {
                store.delete(sinceKey);
                return;
            }
            long since = RegistryRetry.read(topic, record.value()).getSince().toEpochMilli();
            store.put(key(since, row), record.value());
            store.put(sinceKey, ViewValues.number(since));
        }

        private static Bytes key(long since, String row) {
            return ViewKeys.of(ITEM).number(Math.max(0, since)).text(row).build();
        }
    }
}
