package dev.parley.topology.views;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Writes the records of a topic to one store, record by record. */
final class StoreView extends ContextualProcessor<byte[], byte[], Void, Void> {
    private final String name;
    private final Writer writer;
    private KeyValueStore<Bytes, byte[]> store;

    /** Writes a record to the store. Every put may be repeated. */
    interface Writer {
        void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store);
    }

    StoreView(String name, Writer writer) {
        this.name = name;
        this.writer = writer;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(name);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        writer.write(record, store);
    }
}
