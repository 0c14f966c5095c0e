package dev.parley.topology.views;

import dev.parley.avro.Checkpoint;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewKeys.OrdinalEntry;
import dev.parley.topology.views.store.ViewStores;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Stores checkpoints in {@link ViewStores#CHECKPOINTS}: the node, its ordinal, the edge from its parent, and the branch
 * heads. A checkpoint never changes, so every put may be repeated, and parents and children may arrive in any order.
 */
record CheckpointView(Topic<String, Checkpoint> topic) implements StoreView.Writer {

    private static final byte[] PRESENT = {};

    @Override
    public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store) {
        Checkpoint node = RegistryRetry.read(topic, record.value());
        String namespace = node.getNamespace();
        String context = node.getContext();
        String id = node.getId();
        store.put(ViewKeys.checkpoint(namespace, context, id), record.value());

        store.put(
                ViewKeys.ordinal(namespace, context, node.getOrdinal()),
                OrdinalEntry.of(node).toBytes());

        if (node.getParent() != null) {
            store.put(ViewKeys.child(namespace, context, node.getParent(), id), PRESENT);
            store.delete(ViewKeys.head(namespace, context, node.getParent()));
        }
        if (!StoreSweeper.hasAny(store, ViewKeys.children(namespace, context, id))) {
            store.put(ViewKeys.head(namespace, context, id), id.getBytes(StandardCharsets.UTF_8));
        }
    }
}
