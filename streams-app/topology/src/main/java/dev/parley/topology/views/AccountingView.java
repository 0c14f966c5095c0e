package dev.parley.topology.views;

import dev.parley.topology.views.store.ViewStores;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Stores the latest counts of every task in {@link ViewStores#ACCOUNTING}. A null value removes its key, as in the
 * compacted topic.
 */
final class AccountingView extends ContextualProcessor<byte[], byte[], Void, Void> {

    private KeyValueStore<Bytes, byte[]> store;

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(ViewStores.ACCOUNTING);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (record.key() != null) {
            store.put(Bytes.wrap(record.key()), record.value());
        }
    }
}
