package dev.parley.topology.views;

import dev.parley.audit.RedactionFields;
import dev.parley.avro.Redaction;
import dev.parley.topology.setup.Topic;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Requests for redaction into {@link ViewStores#REDACTIONS}, each under all that it names, so that one that names
 * something else displaces none. The first of its kind stays, also after a restore, because Kafka Streams restores this
 * store by processing the topic again. Tombstones change nothing. The pipeline records in the audit what cannot be
 * read.
 */
final class RedactionView extends ContextualProcessor<byte[], byte[], Void, Void> {
    private final Topic<String, Redaction> topic;
    private KeyValueStore<Bytes, byte[]> store;

    RedactionView(Topic<String, Redaction> topic) {
        this.topic = topic;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(ViewStores.REDACTIONS);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (record.value() == null) {
            return;
        }
        Redaction redaction = RegistryRetry.read(topic, record.value());
        if (RedactionFields.check(redaction).isEmpty() && RedactionFields.isKeyed(record.key(), redaction)) {
            store.putIfAbsent(
                    ViewKeys.redaction(
                            redaction.getSource(),
                            redaction.getPayloadHash(),
                            redaction.getChain(),
                            redaction.getSequence()),
                    record.value());
        }
    }
}
