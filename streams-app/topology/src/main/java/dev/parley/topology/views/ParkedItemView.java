package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.avro.ParkedItem;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.read.PrefixScan;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The parked patches in {@link ViewStores#CHECKPOINTS}, each in the partition of its chain, with an index by time,
 * until a tombstone ends them. Their values are those of their topic.
 */
public record ParkedItemView(StoreReader store, Topic<String, ParkedItem> topic) {
    static final int ITEM = 5;
    private static final int SINCE = 6;

    /**
     * Lists the parked patches of a namespace and a context, or of all, the oldest first; otherwise like {@link
     * OpenItemView#list}.
     */
    public Optional<Bytes> list(
            Optional<String> namespace,
            Optional<String> context,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ParkedItem> page) {
        Predicate<ParkedItem> selected = item -> store.scope().includes(item.getNamespace())
                && Views.selects(namespace, item.getNamespace())
                && Views.selects(context, item.getContext());
        Bytes rows = ViewKeys.of(SINCE).build();
        return store.partitions(partitions -> PrefixScan.of(partitions, rows)
                .ofIndex()
                .after(after)
                .scan(limit, (entry, value) -> Optional.of(topic.read(value)).filter(selected), page));
    }

    /** The parked patch at an input position; empty if none is visible. */
    public Optional<ParkedItem> at(InputPosition position) {
        return store.valueAnywhere(key(position.toString()), topic::read)
                .filter(item -> store.scope().includes(item.getNamespace()));
    }

    /** @param position input position of the patch, as in the key of its row */
    private static Bytes key(String position) {
        return ViewKeys.of(ITEM).text(position).build();
    }

    /** Writes a row of the topic. Every put may be repeated. */
    record Writer(Topic<String, ParkedItem> topic) implements StoreView.Writer {
        @Override
        public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store, Consumer<String> chain) {
            if (record.key() == null) {
                return;
            }
            String row = new String(record.key(), StandardCharsets.UTF_8);
            int end = row.lastIndexOf('|');
            chain.accept(row.substring(0, Math.max(0, end)));
            String position = row.substring(end + 1);
            Bytes key = key(position);
            byte[] known = store.get(key);
            if (known != null) {
                store.delete(since(position, known));
            }
            if (record.value() == null) {
                store.delete(key);
                return;
            }
            store.put(since(position, record.value()), key.get());
            store.put(key, record.value());
        }

        /** Key in the index by time. */
        private Bytes since(String position, byte[] value) {
            long since =
                    RegistryRetry.read(topic, value).getSource().getTimestamp().toEpochMilli();
            return ViewKeys.of(SINCE).number(Math.max(0, since)).text(position).build();
        }
    }
}
