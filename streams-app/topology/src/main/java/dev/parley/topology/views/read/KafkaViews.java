package dev.parley.topology.views.read;

import dev.parley.audit.InputPosition;
import dev.parley.audit.LogNotes;
import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.OpenItem;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Stage;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.protocol.TopicNames;
import dev.parley.state.StateQueryException;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.StatisticRow;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.search.SearchKeys;
import dev.parley.topology.views.search.SearchQuery;
import dev.parley.topology.views.search.SearchScan;
import dev.parley.topology.views.store.Statistic;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewKeys.ChainPosition;
import dev.parley.topology.views.store.ViewKeys.OrdinalEntry;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Reads views from Kafka Streams stores, see {@link dev.parley.topology.views.store.ViewStores}. {@link LocalStores}
 * chooses the partitions: the one that holds a chain for a lookup, all readable or selected ones for a list. A failure
 * of Kafka Streams or of the Schema Registry becomes a {@link ViewsUnavailableException}.
 */
public final class KafkaViews implements Views {

    private final LocalStores stores;
    private final Topics topics;

    /** @param topics decode the values of the stores, which are those of the topics */
    public KafkaViews(LocalStores stores, Topics topics) {
        this.stores = stores;
        this.topics = topics;
    }

    @Override
    public Optional<Bytes> conversations(
            ConversationFilter filter, Optional<Bytes> after, int limit, BiPredicate<Bytes, ConversationSummary> page) {
        return readAll(ViewStores.AUDIT, partitions -> new LatestScan(partitions, filter).scan(after, limit, page));
    }

    @Override
    public long total(ConversationFilter filter) {
        return readAll(ViewStores.AUDIT, partitions -> new LatestScan(partitions, filter).total());
    }

    @Override
    public Optional<Bytes> conversationsOf(
            String namespace,
            String agent,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ConversationSummary> page) {
        Bytes range = ViewKeys.conversations(Optional.of(namespace), Optional.empty());
        return readAll(
                ViewStores.AUDIT,
                partitions -> IndexScan.of(partitions, List.of(ViewKeys.byAgent(agent)), range)
                        .after(after)
                        .scan(limit, page));
    }

    @Override
    public Optional<Bytes> claims(
            String namespace,
            Optional<Protocol> protocol,
            Optional<String> code,
            boolean seesPrivate,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ClaimedRecord> page) {
        Bytes open = ViewKeys.claims(false, namespace, protocol);
        Bytes[] prefixes =
                seesPrivate ? new Bytes[] {open, ViewKeys.claims(true, namespace, protocol)} : new Bytes[] {open};
        return readAll(
                ViewStores.AUDIT,
                partitions -> PrefixScan.of(partitions, prefixes)
                        .after(after)
                        .scan(
                                limit,
                                (entry, value) -> Optional.of(ViewValues.CLAIM.decode(value))
                                        .filter(claim -> code.filter(wanted -> !wanted.equals(claim.getCode()))
                                                .isEmpty()),
                                page));
    }

    @Override
    public Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String conversation) {
        return value(
                ViewStores.AUDIT,
                ChainPartitioner.chainOf(namespace, protocol, conversation),
                ViewKeys.conversation(namespace, protocol, conversation),
                ViewValues.CONVERSATION::decode);
    }

    @Override
    public List<AuditRecord> messages(String chain, long from, int limit) {
        long last = from > Long.MAX_VALUE - limit ? Long.MAX_VALUE : from + limit - 1;
        return read(ViewStores.AUDIT, chain, store -> {
            List<AuditRecord> records = new ArrayList<>();
            long bytes = 0;
            try (KeyValueIterator<Bytes, byte[]> range =
                    store.range(ViewKeys.message(chain, from), ViewKeys.message(chain, last))) {
                while (bytes < SLICE_BYTES && range.hasNext()) {
                    byte[] value = range.next().value;
                    bytes += value.length;
                    records.add(topics.audit().read(value));
                }
            }
            return records;
        });
    }

    @Override
    public Optional<Beginning> beginning(String chain) {
        return value(ViewStores.AUDIT, chain, ViewKeys.chainStart(chain), KafkaViews::beginning);
    }

    private static Beginning beginning(byte[] value) {
        ViewKeys.ChainStart stored = ViewKeys.ChainStart.of(value);
        return new Beginning(
                stored.first(),
                stored.prunedAt() == ViewKeys.ChainStart.NEVER_HELD
                        ? Optional.empty()
                        : Optional.of(Instant.ofEpochMilli(stored.prunedAt())));
    }

    @Override
    public Optional<String> checkpoints(
            String namespace, String context, Optional<String> cursor, int limit, Predicate<CheckpointNode> page) {
        return readContext(
                namespace,
                context,
                store -> PrefixScan.of(store, ViewKeys.ordinals(namespace, context))
                        .after(cursor.map(Cursor::key))
                        .scan(
                                limit,
                                (entry, value) -> nodeAt(store, namespace, context, value),
                                (key, node) -> page.test(node))
                        .map(Cursor::of));
    }

    @Override
    public Optional<CheckpointNode> checkpoint(String namespace, String context, String id) {
        return readContext(namespace, context, store -> node(store, namespace, context, id));
    }

    @Override
    public List<String> heads(String namespace, String context, int limit) {
        return readContext(namespace, context, store -> {
            List<String> heads = new ArrayList<>();
            PrefixScan.of(store, ViewKeys.heads(namespace, context))
                    .scan(
                            limit,
                            (entry, value) -> Optional.of(new String(value, StandardCharsets.UTF_8)),
                            (key, head) -> heads.add(head));
            return heads;
        });
    }

    @Override
    public Optional<String> latestAt(String namespace, String context, Instant time) {
        return latest(namespace, context, entry -> entry.time() <= time.toEpochMilli());
    }

    @Override
    public Optional<String> latestAt(String namespace, String context, String topic, int partition, long offset) {
        return latest(
                namespace,
                context,
                entry -> entry.partition() == partition
                        && entry.offset() <= offset
                        && entry.topic().equals(topic));
    }

    private Optional<String> latest(String namespace, String context, Predicate<OrdinalEntry> wanted) {
        Bytes prefix = ViewKeys.ordinals(namespace, context);
        return readContext(namespace, context, store -> {
            long bytes = 0;
            try (KeyValueIterator<Bytes, byte[]> latestFirst = store.reverseRange(prefix, ViewKeys.after(prefix))) {
                while (latestFirst.hasNext()) {
                    if (bytes >= MergedRange.MAX_EXAMINED_BYTES) {
                        throw StateQueryException.tooFarBack(namespace, context);
                    }
                    KeyValue<Bytes, byte[]> next = latestFirst.next();
                    bytes += next.key.get().length + next.value.length;
                    if (ViewKeys.startsWith(next.key, prefix)) {
                        OrdinalEntry entry = OrdinalEntry.of(next.value);
                        if (wanted.test(entry)) {
                            return Optional.of(entry.id());
                        }
                    }
                }
                return Optional.empty();
            }
        });
    }

    @Override
    public Optional<CheckpointNode> checkpoint(String namespace, String context, long ordinal) {
        return readContext(
                namespace,
                context,
                store -> Optional.ofNullable(store.get(ViewKeys.ordinal(namespace, context, ordinal)))
                        .flatMap(value -> nodeAt(store, namespace, context, value)));
    }

    @Override
    public Optional<Bytes> deadLetters(
            DeadLetterFilter filter,
            Predicate<DeadLetterSummary> visible,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, DeadLetterSummary> page) {
        Optional<Bytes> first = filter.to().map(ViewKeys::deadLettersAt);
        Optional<Bytes> end =
                filter.from().filter(Instant.EPOCH::isBefore).map(time -> ViewKeys.deadLettersAt(time.minusMillis(1)));
        return readAll(
                ViewStores.DEAD_LETTERS,
                partitions -> PrefixScan.of(partitions, ViewKeys.deadLettersByTime())
                        .ofIndex()
                        .after(after.or(() -> first))
                        .before(end)
                        .scan(
                                limit,
                                (entry, value) -> Optional.of(ViewValues.DEAD_LETTER.decode(value))
                                        // A dead letter that was read again may have had another time.
                                        .filter(summary ->
                                                ViewKeys.deadLetterTime(summary).equals(entry.key()))
                                        .filter(summary -> filter.matches(summary) && visible.test(summary)),
                                page));
    }

    @Override
    public Optional<Bytes> deadLettersByCode(
            DeadLetterFilter filter,
            Predicate<DeadLetterSummary> visible,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, DeadLetterSummary> page) {
        Optional<Stage> stage = filter.stage();
        Optional<String> code = filter.code();
        Bytes[] prefixes = stage.isPresent() || code.isEmpty()
                ? new Bytes[] {ViewKeys.deadLetters(stage, code)}
                : TopicNames.DEAD_LETTER_STAGES.stream()
                        .map(each -> ViewKeys.deadLetters(Optional.of(each), code))
                        .toArray(Bytes[]::new);
        return readAll(
                ViewStores.DEAD_LETTERS,
                partitions -> PrefixScan.of(partitions, prefixes)
                        .after(after)
                        .scan(
                                limit,
                                (entry, value) -> Optional.of(ViewValues.DEAD_LETTER.decode(value))
                                        .filter(summary -> filter.matches(summary) && visible.test(summary)),
                                page));
    }

    @Override
    public Optional<Bytes> search(
            SearchQuery query, Optional<Bytes> after, int limit, BiPredicate<Bytes, AuditRecord> page) {
        byte[] start = after.map(KafkaViews::document)
                .map(SearchKeys::after)
                .or(() -> query.to().map(time -> SearchKeys.firstDocument(time.toEpochMilli())))
                .orElseGet(() -> new byte[SearchKeys.DOCUMENT_BYTES]);
        byte[] end = query.from()
                .map(time -> SearchKeys.before(SearchKeys.firstDocument(time.toEpochMilli() - 1)))
                .orElseGet(() -> SearchKeys.before(new byte[SearchKeys.DOCUMENT_BYTES]));
        AtomicInteger taken = new AtomicInteger();
        return readAll(ViewStores.AUDIT, partitions -> {
            try (SearchScan scan = new SearchScan(partitions, query, start, end)) {
                return scan.scan(candidate -> {
                            byte[] value = candidate
                                    .position()
                                    .map(at -> candidate.partition().get(ViewKeys.message(at.chain(), at.sequence())))
                                    .orElse(null);
                            if (value == null) {
                                // Pruned since, the rest of an interrupted change of the index, or not by Parley.
                                return 0;
                            }
                            AuditRecord record = topics.audit().read(value);
                            if (!query.matches(record)) {
                                return value.length;
                            }
                            if (taken.get() == limit || !page.test(Bytes.wrap(candidate.document()), record)) {
                                return -1;
                            }
                            taken.incrementAndGet();
                            return value.length;
                        })
                        .map(Bytes::wrap);
            }
        });
    }

    private static byte[] document(Bytes cursor) {
        if (cursor.get().length != SearchKeys.DOCUMENT_BYTES) {
            throw new InvalidCursorException("it belongs to another query");
        }
        return cursor.get();
    }

    @Override
    public Optional<ChainPosition> chainPosition(InputPosition position) {
        return valueAnywhere(ViewStores.AUDIT, ViewKeys.source(position), ChainPosition::of);
    }

    @Override
    public boolean hasDeadLetterOf(InputPosition position) {
        Bytes key = ViewKeys.deadLetterSource(position);
        return valueAnywhere(ViewStores.DEAD_LETTERS, key, Function.identity()).isPresent();
    }

    @Override
    public boolean isReturned(InputPosition position) {
        Bytes key = Bytes.wrap(position.toString().getBytes(StandardCharsets.UTF_8));
        return readOrUnavailable(
                ViewStores.REDRIVES, () -> stores.global(ViewStores.REDRIVES).get(key) != null);
    }

    @Override
    public Optional<Redaction> redactionOf(InputPosition position, ByteBuffer recordHash) {
        return firstRedaction(ViewKeys.redactionsOf(position, recordHash));
    }

    @Override
    public boolean isRedacted(InputPosition position) {
        return firstRedaction(ViewKeys.redactionsAt(position)).isPresent();
    }

    private Optional<Redaction> firstRedaction(Bytes prefix) {
        return readOrUnavailable(ViewStores.REDACTIONS, () -> {
            try (KeyValueIterator<Bytes, byte[]> range =
                    stores.global(ViewStores.REDACTIONS).range(prefix, ViewKeys.after(prefix))) {
                return range.hasNext() ? Optional.of(topics.redaction().read(range.next().value)) : Optional.empty();
            }
        });
    }

    @Override
    public void statistics(Statistic statistic, long from, long to, Predicate<StatisticRow> visitor) {
        readAll(ViewStores.STATISTICS, partitions -> {
            try (MergedRange rows = new MergedRange()) {
                rows.add(
                        partitions,
                        ViewKeys.statistics(statistic, from),
                        ViewKeys.statistics(statistic, to),
                        UnaryOperator.identity());
                Topic<String, ? extends SpecificRecord> topic = statistic.topic(topics);
                boolean more = true;
                while (more && rows.hasNext()) {
                    more = visitor.test(new StatisticRow(topic.read(rows.next().value())));
                }
                return more;
            }
        });
    }

    @Override
    public Optional<Bytes> openItems(
            OpenItemFilter filter, Optional<Bytes> after, int limit, BiPredicate<Bytes, OpenItem> page) {
        return readAll(
                ViewStores.STATISTICS,
                partitions -> PrefixScan.of(partitions, ViewKeys.openItems())
                        .after(after)
                        .scan(
                                limit,
                                (entry, value) -> Optional.of(topics.openItem().read(value))
                                        .filter(filter::matches),
                                page));
    }

    @Override
    public Optional<Bytes> parked(
            Optional<String> namespace,
            Optional<String> context,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ParkedItem> page) {
        return readAll(
                ViewStores.CHECKPOINTS,
                partitions -> PrefixScan.of(partitions, ViewKeys.parkedByTime())
                        .ofIndex()
                        .after(after)
                        .scan(
                                limit,
                                (entry, value) -> Optional.of(
                                                topics.parkedItem().read(value))
                                        .filter(item -> namespace
                                                        .filter(name -> !name.equals(item.getNamespace()))
                                                        .isEmpty()
                                                && context.filter(name -> !name.equals(item.getContext()))
                                                        .isEmpty()),
                                page));
    }

    @Override
    public Optional<ParkedItem> parked(InputPosition position) {
        return valueAnywhere(ViewStores.CHECKPOINTS, ViewKeys.parked(position.toString()), topics.parkedItem()::read);
    }

    @Override
    public Optional<AuditHead> head(int partition) {
        return value(ViewStores.LOG, LogNotes.key(partition), ViewKeys.logHead(partition), topics.auditHead()::read);
    }

    @Override
    public Optional<AuditTile> tile(int partition, int level, long index) {
        return value(
                ViewStores.LOG,
                LogNotes.key(partition),
                ViewKeys.logTile(partition, level, index),
                topics.auditTile()::read);
    }

    @Override
    public List<AuditHead> heads() {
        return readAll(ViewStores.LOG, partitions -> {
            List<AuditHead> heads = new ArrayList<>();
            PrefixScan.of(partitions, ViewKeys.logHeads())
                    .scan(
                            Integer.MAX_VALUE,
                            (entry, value) -> Optional.of(topics.auditHead().read(value)),
                            (key, head) -> heads.add(head));
            return heads;
        });
    }

    @Override
    public List<Accounting> accounting() {
        return readOrUnavailable(ViewStores.ACCOUNTING, () -> {
            List<Accounting> counts = new ArrayList<>();
            try (KeyValueIterator<Bytes, byte[]> all =
                    stores.global(ViewStores.ACCOUNTING).all()) {
                while (all.hasNext()) {
                    counts.add(topics.accounting().read(all.next().value));
                }
            }
            return counts;
        });
    }

    private Optional<CheckpointNode> node(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, String namespace, String context, String id) {
        byte[] value = store.get(ViewKeys.checkpoint(namespace, context, id));
        if (value == null) {
            return Optional.empty();
        }
        Checkpoint checkpoint = topics.checkpoint().read(value);
        return Optional.of(new CheckpointNode(checkpoint, store.get(ViewKeys.head(namespace, context, id)) != null));
    }

    private Optional<CheckpointNode> nodeAt(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, String namespace, String context, byte[] ordinalEntry) {
        return node(store, namespace, context, OrdinalEntry.of(ordinalEntry).id());
    }

    /** The value of a key in the partition of a chain. */
    private <R> Optional<R> value(String store, String chain, Bytes key, Function<byte[], R> decoder) {
        return read(
                store,
                chain,
                partition -> Optional.ofNullable(partition.get(key)).map(decoder));
    }

    /** The value of a key in any partition. */
    private <R> Optional<R> valueAnywhere(String store, Bytes key, Function<byte[], R> decoder) {
        return readAll(
                store,
                partitions -> partitions.stream()
                        .map(partition -> partition.get(key))
                        .filter(Objects::nonNull)
                        .map(decoder)
                        .findFirst());
    }

    private <R> R readContext(
            String namespace, String context, Function<ReadOnlyKeyValueStore<Bytes, byte[]>, R> reader) {
        return read(ViewStores.CHECKPOINTS, ChainPartitioner.chainOfContext(namespace, context), reader);
    }

    private <R> R read(String store, String chain, Function<ReadOnlyKeyValueStore<Bytes, byte[]>, R> reader) {
        return readOrUnavailable(store, () -> reader.apply(stores.forChain(store, chain)));
    }

    private <R> R readAll(String store, Function<List<ReadOnlyKeyValueStore<Bytes, byte[]>>, R> reader) {
        return readOrUnavailable(store, () -> reader.apply(stores.partitions(store)));
    }

    private static <R> R readOrUnavailable(String store, Supplier<R> reader) {
        try {
            return reader.get();
        } catch (InvalidStateStoreException | IllegalStateException e) {
            throw new ViewsUnavailableException("The store " + store + " cannot be read now.", e);
        } catch (StreamsException e) {
            throw new ViewsUnavailableException("Kafka Streams cannot open the store " + store + " now.", e);
        } catch (KafkaException e) {
            throw new ViewsUnavailableException(
                    "The values of the store " + store + " cannot be decoded now; is the Schema Registry available?",
                    e);
        }
    }
}
