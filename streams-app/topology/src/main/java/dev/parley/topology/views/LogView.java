package dev.parley.topology.views;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditTile;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Stores the tiles and the last head of each log in {@link ViewStores#LOG}. Every put may be repeated: an older head or
 * a shorter tile does not replace a later one.
 */
final class LogView extends ContextualProcessor<byte[], byte[], Void, Void> {
    private final Topics topics;
    private KeyValueStore<Bytes, byte[]> store;

    LogView(Topics topics) {
        this.topics = topics;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(ViewStores.LOG);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (record.value() == null) {
            return;
        }
        String topic = context().recordMetadata().orElseThrow().topic();
        if (topic.equals(topics.auditHead().name())) {
            AuditHead head = RegistryRetry.read(topics.auditHead(), record.value());
            Bytes key = ViewKeys.logHead(head.getPartition());
            byte[] before = store.get(key);
            if (before == null || isNewer(head, RegistryRetry.read(topics.auditHead(), before))) {
                store.put(key, record.value());
            }
        } else {
            AuditTile tile = RegistryRetry.read(topics.auditTile(), record.value());
            Bytes key = ViewKeys.logTile(tile.getPartition(), tile.getLevel(), tile.getIndex());
            byte[] before = store.get(key);
            if (before == null
                    || RegistryRetry.read(topics.auditTile(), before)
                                    .getHashes()
                                    .remaining()
                            <= tile.getHashes().remaining()) {
                store.put(key, record.value());
            }
        }
    }

    private static boolean isNewer(AuditHead head, AuditHead before) {
        return head.getSize() > before.getSize()
                || head.getSize() == before.getSize() && !head.getTime().isBefore(before.getTime());
    }
}
