package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.audit.RedactionFields;
import dev.parley.avro.Redaction;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Stores redaction requests in {@link ViewStores#REDACTIONS}. The key contains all that a request names, so different
 * requests do not replace each other. The first request of a key remains, also after a restore, because Kafka Streams
 * restores this store by processing the topic. Tombstones are ignored. The pipeline audits unreadable requests.
 */
record RedactionView(Topic<String, Redaction> topic) implements StoreView.Writer {
    @Override
    public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store) {
        if (record.value() == null) {
            return;
        }
        Redaction redaction = RegistryRetry.read(topic, record.value());
        if (RedactionFields.check(redaction).isEmpty() && RedactionFields.isKeyed(record.key(), redaction)) {
            store.putIfAbsent(
                    ViewKeys.redaction(
                            InputPosition.of(redaction.getSource()),
                            redaction.getRecordHash(),
                            redaction.getChain(),
                            redaction.getSequence()),
                    record.value());
        }
    }
}
