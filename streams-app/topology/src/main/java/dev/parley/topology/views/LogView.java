package dev.parley.topology.views;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditTile;
import dev.parley.log.LogNotes;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.read.PrefixScan;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** The tiles and the last head of each log in {@link ViewStores#LOG}. Their values are those of their topics. */
public record LogView(StoreReader store, Topics topics) {
    private static final int HEAD = 9;
    private static final int TILE = 10;

    /** The last published head of the log of a partition; empty if there is none yet. */
    public Optional<AuditHead> head(int partition) {
        return store.value(LogNotes.key(partition), headKey(partition), topics.auditHead()::read);
    }

    /** The last published head of every log and the statement, in no order. */
    public List<AuditHead> heads() {
        return store.partitions(partitions -> {
            List<AuditHead> heads = new ArrayList<>();
            PrefixScan.of(partitions, ViewKeys.of(HEAD).build())
                    .scan(
                            Integer.MAX_VALUE,
                            (entry, value) -> Optional.of(topics.auditHead().read(value)),
                            (key, head) -> heads.add(head));
            return heads;
        });
    }

    /** A tile of the log of a partition, perhaps longer than in the last head; empty if there is none yet. */
    public Optional<AuditTile> tile(int partition, int level, long index) {
        return store.value(LogNotes.key(partition), tileKey(partition, level, index), topics.auditTile()::read);
    }

    /** Key of the last head of a log, and its cursor in a list. */
    public static Bytes headKey(int partition) {
        return ViewKeys.of(HEAD).number(partition).build();
    }

    static Bytes tileKey(int partition, int level, long index) {
        return ViewKeys.of(TILE).number(partition).number(level).number(index).build();
    }

    /**
     * Writes heads and tiles. Every put may be repeated: an older head or a shorter tile does not replace a later one.
     */
    static final class Writer extends ContextualProcessor<byte[], byte[], Void, Void> {
        private final Topics topics;
        private KeyValueStore<Bytes, byte[]> store;

        Writer(Topics topics) {
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
                Bytes key = headKey(head.getPartition());
                byte[] before = store.get(key);
                if (before == null || isNewer(head, RegistryRetry.read(topics.auditHead(), before))) {
                    store.put(key, record.value());
                }
            } else {
                AuditTile tile = RegistryRetry.read(topics.auditTile(), record.value());
                Bytes key = tileKey(tile.getPartition(), tile.getLevel(), tile.getIndex());
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
}
