package dev.parley.topology.views;

import dev.parley.avro.Accounting;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.state.PointInTime;
import dev.parley.state.StateSource;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.read.LocalStores;
import dev.parley.topology.views.read.NamespaceScope;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * Read access to the views on this instance. A lookup by key reads the partition of that key, which must be on this
 * instance; a list reads some partitions. Lists have a stable order. A page has at most {@code limit} items and may
 * have fewer, even none, although more follow: only its end decides. What is outside of the {@link NamespaceScope} does
 * not exist for a reader, except for accounting and log. Every method may throw {@link ViewsUnavailableException}.
 */
public class Views implements StateSource {
    private final LocalStores stores;
    private final Topics topics;
    private final boolean standbys;
    private final Map<String, Set<Integer>> selected;
    private final NamespaceScope scope;

    /**
     * Views of the partitions that this instance owns, without standbys, of all namespaces.
     *
     * @param topics decode the values of the stores
     */
    public Views(LocalStores stores, Topics topics) {
        this(stores, topics, NamespaceScope.ALL);
    }

    /** The same, of some namespaces. */
    protected Views(LocalStores stores, Topics topics, NamespaceScope scope) {
        this(stores, topics, false, Map.of(), scope);
    }

    private Views(
            LocalStores stores,
            Topics topics,
            boolean standbys,
            Map<String, Set<Integer>> selected,
            NamespaceScope scope) {
        this.stores = stores;
        this.topics = topics;
        this.standbys = standbys;
        this.selected = selected;
        this.scope = scope;
    }

    /** The same views of some namespaces. */
    public Views within(NamespaceScope namespaces) {
        return new Views(stores, topics, standbys, selected, namespaces);
    }

    /** Views of all partitions on this instance, including standbys and stores that are being restored. */
    public Views withStandbys() {
        return new Views(stores, topics, true, Map.of(), scope);
    }

    /**
     * Views whose lists read exactly these partitions of a store.
     *
     * @param partitions partitions to read; a list throws {@link ViewsUnavailableException} if one cannot be read
     * @param withStandbys whether to read standbys too
     */
    public Views of(String store, Set<Integer> partitions, boolean withStandbys) {
        return new Views(stores, topics, withStandbys, Map.of(store, partitions), scope);
    }

    /** The partitions of a store that this instance owns and can read now. */
    public SortedSet<Integer> readable(String store) {
        return reader(store).readable();
    }

    /** Lag of each partition of a store on this instance, as last measured; in changes. */
    public SortedMap<Integer, Long> lags(String store) {
        return stores.lags(store);
    }

    private StoreReader reader(String store) {
        return reader(store, scope);
    }

    private StoreReader reader(String store, NamespaceScope namespaces) {
        return new StoreReader(stores, store, standbys, Optional.ofNullable(selected.get(store)), namespaces);
    }

    public ConversationView conversations() {
        return new ConversationView(reader(ViewStores.AUDIT));
    }

    public MessageView messages() {
        return new MessageView(reader(ViewStores.AUDIT), topics.audit());
    }

    public AgentView agents() {
        return new AgentView(reader(ViewStores.AUDIT));
    }

    public ApprovalView approvals() {
        return new ApprovalView(reader(ViewStores.AUDIT), topics.audit());
    }

    public ClaimView claims() {
        return new ClaimView(reader(ViewStores.AUDIT));
    }

    public SearchView search() {
        return new SearchView(reader(ViewStores.AUDIT), topics.audit());
    }

    private CheckpointView checkpoints() {
        return new CheckpointView(reader(ViewStores.CHECKPOINTS), topics.checkpoint());
    }

    public ParkedItemView parked() {
        return new ParkedItemView(reader(ViewStores.CHECKPOINTS), topics.parkedItem());
    }

    public DeadLetterView deadLetters() {
        return new DeadLetterView(reader(ViewStores.DEAD_LETTERS), reader(ViewStores.REDRIVES));
    }

    public RedactionView redactions() {
        return new RedactionView(reader(ViewStores.REDACTIONS), topics.redaction());
    }

    public StatisticView statistics() {
        return new StatisticView(reader(ViewStores.STATISTICS), topics);
    }

    public OpenItemView openItems() {
        return new OpenItemView(reader(ViewStores.STATISTICS), topics.openItem());
    }

    /** The log of a partition, whose hashes cover records of all namespaces. */
    public LogView log() {
        return new LogView(reader(ViewStores.LOG, NamespaceScope.ALL), topics);
    }

    /** The counts of every task, by input partition; a partition may occur several times. */
    public List<Accounting> accounting() {
        return reader(ViewStores.ACCOUNTING).global(store -> {
            List<Accounting> counts = new ArrayList<>();
            try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
                while (all.hasNext()) {
                    counts.add(topics.accounting().read(all.next().value));
                }
            }
            return counts;
        });
    }

    @Override
    public Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String conversation) {
        return conversations().one(namespace, protocol, conversation);
    }

    @Override
    public List<AuditRecord> messages(String chain, long from, int limit) {
        return messages().list(chain, from, limit);
    }

    @Override
    public Optional<Beginning> beginning(String chain) {
        return messages().beginning(chain);
    }

    @Override
    public Optional<String> checkpoints(
            String namespace, String context, Optional<String> cursor, int limit, Predicate<CheckpointNode> page) {
        return checkpoints().list(namespace, context, cursor, limit, page);
    }

    @Override
    public Optional<CheckpointNode> checkpoint(String namespace, String context, String id) {
        return checkpoints().node(namespace, context, id);
    }

    @Override
    public Optional<CheckpointNode> checkpoint(String namespace, String context, long ordinal) {
        return checkpoints().node(namespace, context, ordinal);
    }

    @Override
    public List<String> heads(String namespace, String context, int limit) {
        return checkpoints().heads(namespace, context, limit);
    }

    @Override
    public Optional<String> latestAt(String namespace, String context, PointInTime.OfInputs at) {
        return checkpoints().latest(namespace, context, entry -> at.covers(entry.getSource()));
    }

    /** Whether a filter, which may be empty, selects a value. */
    public static <T> boolean selects(Optional<T> wanted, T value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }
}
