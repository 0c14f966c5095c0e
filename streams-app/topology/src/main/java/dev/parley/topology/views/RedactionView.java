package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.audit.RedactionFields;
import dev.parley.avro.Redaction;
import dev.parley.topology.kafka.RecordMac;
import dev.parley.topology.kafka.UnreadableValues;
import dev.parley.topology.topics.KafkaHeaders;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Redaction requests in {@link ViewStores#REDACTIONS}. The key contains all that a request names, so different requests
 * do not replace each other. The first request of a key remains, also after a restore, because Kafka Streams restores
 * this store by processing the topic. Values are those of the topic.
 */
public record RedactionView(StoreReader store, Topic<String, Redaction> topic) {
    private static final int REQUEST = 1;

    /** The redaction of the audit record at an input position with this hash; empty if there is none. */
    public Optional<Redaction> of(InputPosition position, ByteBuffer recordHash) {
        return first(ViewKeys.of(at(position)).hash(recordHash).build());
    }

    /** Whether a redaction of the record at an input position was requested. */
    public boolean isRedacted(InputPosition position) {
        return first(at(position)).isPresent();
    }

    private Optional<Redaction> first(Bytes prefix) {
        return store.global(requests -> {
            try (KeyValueIterator<Bytes, byte[]> range = requests.range(prefix, ViewKeys.after(prefix))) {
                return range.hasNext() ? Optional.of(topic.read(range.next().value)) : Optional.empty();
            }
        });
    }

    /** Key of a request. */
    static Bytes key(InputPosition position, ByteBuffer recordHash, String chain, long sequence) {
        return ViewKeys.of(at(position))
                .hash(recordHash)
                .text(chain)
                .number(sequence)
                .build();
    }

    /** Key prefix of the requests for an input position. */
    static Bytes at(InputPosition position) {
        return ViewKeys.of(REQUEST).position(position).build();
    }

    /** Key prefix of all requests. */
    static Bytes all() {
        return ViewKeys.of(REQUEST).build();
    }

    /**
     * Writes a request. Ignores tombstones, approvals, which remove nothing, and requests without a valid code. The
     * pipeline audits unreadable ones.
     */
    record Writer(Topic<String, Redaction> topic) implements StoreView.Writer {
        @Override
        public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store, Consumer<String> chain) {
            boolean isRefused = UnreadableValues.isRefused(
                    KafkaHeaders.view(record.headers()).last(RecordMac.HEADER));
            if (record.value() == null || isRefused) {
                return;
            }
            Redaction redaction = RegistryRetry.read(topic, record.value());
            if (!redaction.getApproves()
                    && RedactionFields.check(redaction).isEmpty()
                    && RedactionFields.isKeyed(record.key(), redaction)) {
                InputPosition position = InputPosition.of(redaction.getSource());
                Bytes key = key(position, redaction.getRecordHash(), redaction.getChain(), redaction.getSequence());
                store.putIfAbsent(key, record.value());
            }
        }
    }
}
