package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.OpenItem;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.Redaction;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.state.StateSource.Beginning;
import dev.parley.topology.topics.ClosureKey;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.SearchView;
import dev.parley.topology.views.StoredViews;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.MemoryPartition;
import dev.parley.topology.views.read.NamespaceScope;
import dev.parley.topology.views.read.StandaloneStores;
import dev.parley.topology.views.search.SearchQuery;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewStores;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The views over stores that are filled from these lists, and again when a list has other elements. So a test replaces
 * an element to change it after a read. A search reads the list of messages instead.
 */
public final class FakeViews {

    private final Topics topics = new Topics(
            TopicNames.DEFAULT, AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID())));

    public final List<ConversationSummary> conversations = new ArrayList<>();
    public final List<AuditRecord> messages = new ArrayList<>();
    public final List<OpenItem> openItems = new ArrayList<>();
    public final List<ParkedItem> parked = new ArrayList<>();

    /** Claims that every caller may see. */
    public final List<ClaimedRecord> claims = new ArrayList<>();

    /** Claims of private records. */
    public final List<ClaimedRecord> privateClaims = new ArrayList<>();

    /** Beginnings of chains with pruned messages. */
    public final Map<String, Beginning> beginnings = new HashMap<>();

    public final Map<InputPosition, ChainPosition> links = new HashMap<>();
    public final List<CheckpointNode> nodes = new ArrayList<>();
    public final List<DeadLetterSummary> deadLetters = new ArrayList<>();
    public final Set<InputPosition> returned = new HashSet<>();
    public final Set<InputPosition> closed = new HashSet<>();
    public final List<Accounting> accounting = new ArrayList<>();
    public final List<Redaction> redactions = new ArrayList<>();
    public final List<AuditHead> heads = new ArrayList<>();
    public final List<AuditTile> tiles = new ArrayList<>();
    public final List<SpecificRecord> rows = new ArrayList<>();
    public RuntimeException failure;

    private final Map<String, Filled> filled = new HashMap<>();

    /** A store, and the elements of all lists when it was filled. */
    private record Filled(List<Object> from, MemoryPartition store) {
        boolean isOf(List<Object> elements) {
            return from.size() == elements.size()
                    && IntStream.range(0, from.size()).allMatch(i -> from.get(i) == elements.get(i));
        }
    }

    /** Read access for the API. */
    public Views views() {
        return new FakeReader(NamespaceScope.ALL);
    }

    /** Views of one partition, which searches the messages. */
    private final class FakeReader extends Views {
        private final NamespaceScope scope;

        FakeReader(NamespaceScope scope) {
            super(new StandaloneStores(FakeViews.this::store), topics, scope);
            this.scope = scope;
        }

        @Override
        public Views within(NamespaceScope namespaces) {
            return new FakeReader(namespaces);
        }

        @Override
        public Views withStandbys() {
            return this;
        }

        @Override
        public Views of(String store, Set<Integer> partitions, boolean withStandbys) {
            return this;
        }

        @Override
        public SearchView search() {
            return new SearchView(null, null) {
                @Override
                public Optional<Bytes> list(
                        SearchQuery query,
                        Predicate<AuditRecord> also,
                        Optional<Bytes> after,
                        int limit,
                        BiPredicate<Bytes, AuditRecord> page) {
                    return FakeViews.this.search(also.and(query::matches), scope, after, limit, page);
                }
            };
        }
    }

    private synchronized ReadOnlyKeyValueStore<Bytes, byte[]> store(String name) {
        if (failure != null) {
            throw failure;
        }
        List<Object> elements = elements();
        Filled known = filled.get(name);
        if (known == null || !known.isOf(elements)) {
            known = new Filled(elements, fill(name));
            filled.put(name, known);
        }
        return known.store();
    }

    private List<Object> elements() {
        List<Object> all = new ArrayList<>();
        for (Collection<?> list : List.of(
                conversations,
                messages,
                openItems,
                parked,
                claims,
                privateClaims,
                beginnings.keySet(),
                beginnings.values(),
                links.keySet(),
                links.values(),
                nodes,
                deadLetters,
                returned,
                closed,
                accounting,
                redactions,
                heads,
                tiles,
                rows)) {
            all.addAll(list);
            // So that no element moves from one list to the next unnoticed.
            all.add(FakeViews.class);
        }
        return all;
    }

    private MemoryPartition fill(String name) {
        MemoryPartition store = new MemoryPartition();
        StoredViews views = new StoredViews(topics, store);
        switch (name) {
            case ViewStores.AUDIT -> {
                links.forEach(views::put);
                beginnings.forEach(views::put);
                conversations.forEach(views::put);
                messages.forEach(record -> {
                    store.putLazily(
                            StoredViews.message(record), () -> topics.audit().write(record));
                    views.putIndexes(record);
                });
                claims.forEach(claim -> views.put(claim, false));
                privateClaims.forEach(claim -> views.put(claim, true));
            }
            case ViewStores.LOG -> {
                heads.forEach(views::put);
                tiles.forEach(views::put);
            }
            case ViewStores.CHECKPOINTS -> {
                nodes.forEach(node -> views.put(node.checkpoint()));
                nodes.forEach(node -> views.putHead(node.checkpoint(), node.head()));
                parked.forEach(views::put);
            }
            case ViewStores.DEAD_LETTERS -> deadLetters.forEach(views::put);
            case ViewStores.STATISTICS -> {
                for (int i = 0; i < rows.size(); i++) {
                    views.put(statistic(rows.get(i)), Integer.toString(i), rows.get(i));
                }
                for (int i = 0; i < openItems.size(); i++) {
                    views.put(Integer.toString(i), openItems.get(i));
                }
            }
            case ViewStores.REDACTIONS -> redactions.forEach(views::put);
            case ViewStores.REDRIVES -> {
                returned.forEach(position -> store.put(key(position.toString()), new byte[0]));
                closed.forEach(position -> store.put(key(new ClosureKey(1, position).toString()), new byte[0]));
            }
            case ViewStores.ACCOUNTING -> {
                for (int i = 0; i < accounting.size(); i++) {
                    store.put(key(Integer.toString(i)), topics.accounting().write(accounting.get(i)));
                }
            }
            default -> throw new IllegalArgumentException(name);
        }
        return store;
    }

    private static Statistic statistic(SpecificRecord row) {
        for (Statistic statistic : Statistic.values()) {
            if (statistic.newRow().getSchema().equals(row.getSchema())) {
                return statistic;
            }
        }
        throw new IllegalArgumentException(row.getSchema().getName());
    }

    /** A page of the messages that match. A key is the index of a message. */
    private Optional<Bytes> search(
            Predicate<AuditRecord> query,
            NamespaceScope scope,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, AuditRecord> page) {
        if (failure != null) {
            throw failure;
        }
        List<AuditRecord> all = messages.stream()
                .filter(record -> query.test(record) && scope.includesChain(record.getChain()))
                .toList();
        Optional<Bytes> seen = after;
        int first = after.map(FakeViews::index).orElse(-1) + 1;
        for (int i = first; i < all.size(); i++) {
            if (i - first == limit || !page.test(key("%08d".formatted(i)), all.get(i))) {
                return seen;
            }
            seen = Optional.of(key("%08d".formatted(i)));
        }
        return Optional.empty();
    }

    private static int index(Bytes key) {
        try {
            return Integer.parseInt(new String(key.get(), UTF_8));
        } catch (NumberFormatException e) {
            throw new InvalidCursorException("it belongs to another query");
        }
    }

    private static Bytes key(String text) {
        return Bytes.wrap(text.getBytes(UTF_8));
    }
}
