package dev.parley.topology.views;

import dev.parley.topology.kafka.CheckedRestores;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.Topic;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Writes the records of a topic to one store, record by record. */
final class StoreView extends ContextualProcessor<byte[], byte[], Void, Void> {
    private final String name;
    private final int partitions;
    private final Writer writer;
    private KeyValueStore<Bytes, byte[]> store;

    /** Writes the records of a topic to the store. Every put may be repeated. */
    interface Writer {
        Topic<?, ?> topic();

        /** @param chain takes the chain of a record that must be in its partition; throws if it is not */
        void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store, Consumer<String> chain);
    }

    /** @param partitions number of partitions of the topic */
    StoreView(String name, int partitions, Writer writer) {
        this.name = name;
        this.partitions = partitions;
        this.writer = writer;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(name);
        CheckedRestores.repair(context, store);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        writer.write(
                record,
                store,
                chain -> ChainPartitioner.require(chain, context().recordMetadata(), partitions));
    }
}
