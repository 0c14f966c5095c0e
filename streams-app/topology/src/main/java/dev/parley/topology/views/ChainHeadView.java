package dev.parley.topology.views;

import dev.parley.avro.AuditHead;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Stores the last published head of each chain, and the head published last of all, in {@link ViewStores#AUDIT}. Every
 * put may be repeated: an older head does not replace a later one.
 */
final class ChainHeadView extends ContextualProcessor<byte[], byte[], Void, Void> {
    private final Topic<String, AuditHead> topic;
    private KeyValueStore<Bytes, byte[]> store;

    /** Publication of the head under {@link ViewKeys#latestHead}, in milliseconds since the epoch. */
    private long latest;

    ChainHeadView(Topic<String, AuditHead> topic) {
        this.topic = topic;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(ViewStores.AUDIT);
        byte[] value = store.get(ViewKeys.latestHead());
        latest = value == null ? Long.MIN_VALUE : time(RegistryRetry.read(topic, value));
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (record.value() == null) {
            return;
        }
        AuditHead head = RegistryRetry.read(topic, record.value());
        Bytes key = ViewKeys.chainHead(head.getChain());
        byte[] before = store.get(key);
        if (before == null || time(RegistryRetry.read(topic, before)) <= time(head)) {
            store.put(key, record.value());
        }
        if (time(head) >= latest) {
            latest = time(head);
            store.put(ViewKeys.latestHead(), record.value());
        }
    }

    private static long time(AuditHead head) {
        return head.getTime().toEpochMilli();
    }
}
