package dev.parley.topology.views;

import dev.parley.avro.OpenItem;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Keeps the open items in {@link ViewStores#STATISTICS} in the order of their times, until a tombstone ends them. Every
 * put may be repeated.
 */
record OpenItemView(Topic<String, OpenItem> topic) implements StoreView.Writer {
    @Override
    public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store) {
        if (record.key() == null) {
            return;
        }
        String row = new String(record.key(), StandardCharsets.UTF_8);
        Bytes sinceKey = ViewKeys.openItemSince(row);
        byte[] known = store.get(sinceKey);
        if (known != null) {
            store.delete(ViewKeys.openItem(ViewValues.number(known), row));
        }
        if (record.value() == null) {
            store.delete(sinceKey);
            return;
        }
        long since = RegistryRetry.read(topic, record.value()).getSince().toEpochMilli();
        store.put(ViewKeys.openItem(since, row), record.value());
        store.put(sinceKey, ViewValues.number(since));
    }
}
