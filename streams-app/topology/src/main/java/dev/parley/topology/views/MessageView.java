package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ChainStart;
import dev.parley.state.StateSource;
import dev.parley.topology.kafka.StoredValues;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * Audit records in {@link ViewStores#AUDIT}, each in the partition of its chain: their values are those of the audit
 * topic, or without content if they are redacted. {@link AuditView} writes them.
 */
public record MessageView(StoreReader store, Topic<String, AuditRecord> topic) {
    static final int MESSAGE = 2;
    static final int SOURCE = 3;
    static final int CHAIN_START = 4;
    static final int REDACTED = 5;

    static final StoredValues<ChainStart> CHAIN_START_VALUE = new StoredValues<>(ChainStart.class);

    /** As in {@link StateSource#messages}. */
    List<AuditRecord> list(String chain, long from, int limit) {
        long last = from > Long.MAX_VALUE - limit ? Long.MAX_VALUE : from + limit - 1;
        return store.chain(chain, partition -> {
            List<AuditRecord> records = new ArrayList<>();
            long bytes = 0;
            try (KeyValueIterator<Bytes, byte[]> range = partition.range(key(chain, from), key(chain, last))) {
                while (bytes < StateSource.SLICE_BYTES && range.hasNext()) {
                    byte[] value = range.next().value;
                    bytes += value.length;
                    records.add(topic.read(value));
                }
            }
            return records;
        });
    }

    Optional<StateSource.Beginning> beginning(String chain) {
        return store.value(chain, chainStart(chain), CHAIN_START_VALUE::decode)
                .map(start -> new StateSource.Beginning(start.getFirst(), Optional.ofNullable(start.getPrunedAt())));
    }

    /** Chain and sequence of the record at an input position; empty if it is not visible. */
    public Optional<ChainPosition> position(InputPosition position) {
        return store.valueAnywhere(source(position), ChainPosition::of)
                .filter(found -> store.scope().includesChain(found.chain()));
    }

    /** Key of an audit record. */
    static Bytes key(String chain, long sequence) {
        return ViewKeys.of(MESSAGE).text(chain).number(sequence).build();
    }

    /** Key prefix of all audit records. */
    static Bytes all() {
        return ViewKeys.of(MESSAGE).build();
    }

    /** Key of the {@link ChainStart}; present if the first messages of a chain are missing. */
    static Bytes chainStart(String chain) {
        return ViewKeys.of(CHAIN_START).text(chain).build();
    }

    /** Key of the {@link ChainPosition} of an input record. */
    static Bytes source(InputPosition position) {
        return ViewKeys.of(SOURCE).position(position).build();
    }

    /** Key of the recorded redaction of a record. Its value is the sequence of the first one. */
    static Bytes redacted(String chain, long sequence) {
        return ViewKeys.of(REDACTED).text(chain).number(sequence).build();
    }
}
