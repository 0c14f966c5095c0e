package dev.parley.topology.views;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.CheckpointEntry;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.state.StateQueryException;
import dev.parley.state.StateSource;
import dev.parley.topology.kafka.StoredValues;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.views.read.Cursor;
import dev.parley.topology.views.read.MergedRange;
import dev.parley.topology.views.read.PrefixScan;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Checkpoints in {@link ViewStores#CHECKPOINTS}: the node, whose value is that of the topic, its ordinal, the edge from
 * its parent, and the branch heads. A context is in the partition of its chain, in the same task as its messages.
 */
record CheckpointView(StoreReader store, Topic<String, Checkpoint> topic) {
    static final int NODE = 1;
    static final int ORDINAL = 2;
    private static final int CHILD = 3;
    private static final int HEAD = 4;

    static final StoredValues<CheckpointEntry> ENTRY = new StoredValues<>(CheckpointEntry.class);

    /** As in {@link StateSource#checkpoints}. */
    Optional<String> list(
            String namespace, String context, Optional<String> cursor, int limit, Predicate<CheckpointNode> page) {
        return read(
                namespace,
                context,
                partition -> PrefixScan.of(
                                partition, key(ORDINAL, namespace, context).build())
                        .after(cursor.map(Cursor::key))
                        .scan(
                                limit,
                                (entry, value) -> nodeAt(partition, namespace, context, value),
                                (key, node) -> page.test(node))
                        .map(Cursor::of));
    }

    Optional<CheckpointNode> node(String namespace, String context, String id) {
        return read(namespace, context, partition -> node(partition, namespace, context, id));
    }

    Optional<CheckpointNode> node(String namespace, String context, long ordinal) {
        return read(
                namespace,
                context,
                partition -> Optional.ofNullable(partition.get(ordinal(namespace, context, ordinal)))
                        .flatMap(value -> nodeAt(partition, namespace, context, value)));
    }

    List<String> heads(String namespace, String context, int limit) {
        return read(namespace, context, partition -> {
            List<String> heads = new ArrayList<>();
            PrefixScan.of(partition, key(HEAD, namespace, context).build())
                    .scan(
                            limit,
                            (entry, value) -> Optional.of(new String(value, StandardCharsets.UTF_8)),
                            (key, head) -> heads.add(head));
            return heads;
        });
    }

    /** The last checkpoint whose entry is wanted. */
    Optional<String> latest(String namespace, String context, Predicate<CheckpointEntry> wanted) {
        Bytes prefix = key(ORDINAL, namespace, context).build();
        return read(namespace, context, partition -> {
            long bytes = 0;
            try (KeyValueIterator<Bytes, byte[]> latestFirst = partition.reverseRange(prefix, ViewKeys.after(prefix))) {
                while (latestFirst.hasNext()) {
                    if (bytes >= MergedRange.MAX_EXAMINED_BYTES) {
                        throw StateQueryException.tooFarBack(namespace, context);
                    }
                    KeyValue<Bytes, byte[]> next = latestFirst.next();
                    bytes += next.key.get().length + next.value.length;
                    if (ViewKeys.startsWith(next.key, prefix)) {
                        CheckpointEntry entry = ENTRY.decode(next.value);
                        if (wanted.test(entry)) {
                            return Optional.of(entry.getId());
                        }
                    }
                }
                return Optional.empty();
            }
        });
    }

    private <R> R read(String namespace, String context, Function<ReadOnlyKeyValueStore<Bytes, byte[]>, R> reader) {
        return store.chain(ChainPartitioner.chainOfContext(namespace, context), reader);
    }

    private Optional<CheckpointNode> node(
            ReadOnlyKeyValueStore<Bytes, byte[]> partition, String namespace, String context, String id) {
        byte[] value = partition.get(key(NODE, namespace, context).text(id).build());
        return Optional.ofNullable(value)
                .map(found ->
                        new CheckpointNode(topic.read(found), partition.get(head(namespace, context, id)) != null));
    }

    private Optional<CheckpointNode> nodeAt(
            ReadOnlyKeyValueStore<Bytes, byte[]> partition, String namespace, String context, byte[] entry) {
        return node(partition, namespace, context, ENTRY.decode(entry).getId());
    }

    private static ViewKeys.Builder key(int kind, String namespace, String context) {
        return ViewKeys.of(kind).text(namespace).text(context);
    }

    /** Key of the {@link CheckpointEntry} of an ordinal. */
    static Bytes ordinal(String namespace, String context, long ordinal) {
        return key(ORDINAL, namespace, context).number(ordinal).build();
    }

    /** Key of a branch head. Its value is the ID in UTF-8. */
    static Bytes head(String namespace, String context, String id) {
        return key(HEAD, namespace, context).text(id).build();
    }

    /**
     * Writes a checkpoint. It never changes, so every put may be repeated, and parents and children may arrive in any
     * order.
     */
    record Writer(Topic<String, Checkpoint> topic) implements StoreView.Writer {

        private static final byte[] PRESENT = {};

        @Override
        public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store, Consumer<String> chain) {
            Checkpoint node = RegistryRetry.read(topic, record.value());
            String namespace = node.getNamespace();
            String context = node.getContext();
            String id = node.getId();
            chain.accept(ChainPartitioner.chainOfContext(namespace, context));
            store.put(key(NODE, namespace, context).text(id).build(), record.value());

            Source decided = node.getReleasedBy() == null ? node.getSource() : node.getReleasedBy();
            Bytes ordinal = ordinal(namespace, context, node.getOrdinal());
            store.put(ordinal, ENTRY.encode(new CheckpointEntry(id, decided)));

            if (node.getParent() != null) {
                ViewKeys.Builder siblings = key(CHILD, namespace, context).text(node.getParent());
                store.put(siblings.text(id).build(), PRESENT);
                store.delete(head(namespace, context, node.getParent()));
            }
            Bytes children = key(CHILD, namespace, context).text(id).build();
            if (!StoreSweeper.hasAny(store, children)) {
                store.put(head(namespace, context, id), id.getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
