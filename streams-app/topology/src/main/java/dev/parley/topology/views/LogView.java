package dev.parley.topology.views;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditTile;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.Tile;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.read.PrefixScan;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** The tiles and the last head of each log in {@link ViewStores#LOG}. Their values are those of their topics. */
public record LogView(StoreReader store, Topics topics) {
    static final int HEAD = 9;
    static final int TILE = 10;

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

    /**
     * The hashes of a tile of the log of a partition.
     *
     * @throws ViewsUnavailableException if the views do not have all of them yet
     */
    public byte[] hashes(int partition, Tile tile) {
        byte[] bytes = new byte[tile.width() * MerkleHasher.BYTES];
        tile(partition, tile.level(), tile.index())
                .map(found -> found.getHashes().duplicate())
                .filter(found -> found.remaining() >= bytes.length)
                .orElseThrow(() -> new ViewsUnavailableException(
                        "The views do not have " + tile.path() + " of the log of partition " + partition + " yet."))
                .get(bytes);
        return bytes;
    }

    /** Key of the last head of a log, and its cursor in a list. */
    public static Bytes headKey(int partition) {
        return ViewKeys.of(HEAD).number(partition).build();
    }

    static Bytes tileKey(int partition, int level, long index) {
        return ViewKeys.of(TILE).number(partition).number(level).number(index).build();
    }

    /**
     * Writes heads. Every put may be repeated: an older head does not replace a later one.
     *
     * @param notes reads the notes that count
     */
    static StoreView.Writer headWriter(Topic<String, AuditHead> topic, LogNoteReader notes) {
        return new Writer<>(
                topic,
                notes::accepts,
                head -> headKey(head.getPartition()),
                // Those that were written before a key was known may not count.
                Comparator.comparing(notes::accepts)
                        .thenComparing(AuditHead::getSize)
                        .thenComparing(AuditHead::getTime));
    }

    /** Writes tiles. Every put may be repeated: a shorter tile does not replace a longer one. */
    static StoreView.Writer tileWriter(Topic<String, AuditTile> topic) {
        return new Writer<>(
                topic,
                tile -> true,
                tile -> tileKey(tile.getPartition(), tile.getLevel(), tile.getIndex()),
                Comparator.comparingInt((AuditTile tile) -> tile.getHashes().remaining()));
    }

    /**
     * Writes values.
     *
     * @param counts whether a value is written
     * @param order a value replaces those that are not after it
     */
    private record Writer<V>(Topic<String, V> topic, Predicate<V> counts, Function<V, Bytes> key, Comparator<V> order)
            implements StoreView.Writer {
        @Override
        public void write(Record<byte[], byte[]> record, KeyValueStore<Bytes, byte[]> store, Consumer<String> chain) {
            if (record.value() == null) {
                return;
            }
            V value = RegistryRetry.read(topic, record.value());
            if (!counts.test(value)) {
                return;
            }
            byte[] before = store.get(key.apply(value));
            if (before == null || order.compare(value, RegistryRetry.read(topic, before)) >= 0) {
                store.put(key.apply(value), record.value());
            }
        }
    }
}
