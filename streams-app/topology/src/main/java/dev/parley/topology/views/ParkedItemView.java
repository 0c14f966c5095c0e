package dev.parley.topology.views;

import dev.parley.avro.ParkedItem;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Keeps the parked patches in {@link ViewStores#CHECKPOINTS}, with an index by time, until a tombstone ends them. Every
 * put may be repeated.
 */
record ParkedItemView(Topic<String, ParkedItem> topic) implements StoreView.Writer {
    @Override
    public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store) {
        if (record.key() == null) {
            return;
        }
        String row = new String(record.key(), StandardCharsets.UTF_8);
        String position = row.substring(row.lastIndexOf('|') + 1);
        Bytes key = ViewKeys.parked(position);
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

    /** Key in the index. */
    private Bytes since(String position, byte[] value) {
        return ViewKeys.parkedSince(
                RegistryRetry.read(topic, value).getSource().getTimestamp().toEpochMilli(), position);
    }
}
