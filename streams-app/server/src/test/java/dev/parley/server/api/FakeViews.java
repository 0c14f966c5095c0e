package dev.parley.server.api;

import dev.parley.audit.InputPosition;
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
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.topology.topics.StatisticRow;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.Views;
import dev.parley.topology.views.search.SearchQuery;
import dev.parley.topology.views.store.Statistic;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewKeys.ChainPosition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Bytes;

/** Views over lists in memory. A cursor is "at" and an index. */
public final class FakeViews implements Views {

    public final List<ConversationSummary> conversations = new ArrayList<>();
    public final List<AuditRecord> messages = new ArrayList<>();
    public final List<OpenItem> openItems = new ArrayList<>();
    public final List<ParkedItem> parked = new ArrayList<>();

    /** Claims that every caller may see, by key. */
    public final TreeMap<Bytes, ClaimedRecord> claims = new TreeMap<>();

    /** Claims of private records, by key. */
    public final TreeMap<Bytes, ClaimedRecord> privateClaims = new TreeMap<>();

    public final Map<String, Beginning> beginnings = new HashMap<>();
    /** Beginnings of chains with pruned messages. */
    public final Map<InputPosition, ChainPosition> links = new HashMap<>();

    public final List<CheckpointNode> nodes = new ArrayList<>();
    public final List<DeadLetterSummary> deadLetters = new ArrayList<>();
    public final Set<InputPosition> returned = new HashSet<>();
    public final List<Accounting> accounting = new ArrayList<>();
    public final List<dev.parley.avro.Redaction> redactions = new ArrayList<>();
    public final List<AuditHead> heads = new ArrayList<>();
    public final List<AuditTile> tiles = new ArrayList<>();
    public final List<SpecificRecord> rows = new ArrayList<>();
    public RuntimeException failure;

    @Override
    public Optional<Bytes> conversations(
            ConversationFilter filter, Optional<Bytes> after, int limit, BiPredicate<Bytes, ConversationSummary> page) {
        return keyed(matching(filter), after, limit, page);
    }

    @Override
    public long total(ConversationFilter filter) {
        fail();
        return matching(filter).size();
    }

    private List<ConversationSummary> matching(ConversationFilter filter) {
        return conversations.stream()
                .filter(c ->
                        filter.namespace().isEmpty() || filter.namespace().get().equals(c.getNamespace()))
                .filter(c -> filter.protocol().isEmpty() || filter.protocol().get() == c.getProtocol())
                .filter(c -> filter.verdict().isEmpty() || filter.verdict().get() == c.getLastVerdict())
                .filter(c -> filter.code().isEmpty() || filter.code().get().equals(c.getLastCode()))
                .toList();
    }

    @Override
    public Optional<Bytes> conversationsOf(
            String namespace,
            String agent,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ConversationSummary> page) {
        fail();
        TreeMap<Bytes, ConversationSummary> found = new TreeMap<>();
        for (ConversationSummary summary : conversations) {
            if (summary.getNamespace().equals(namespace)
                    && messages.stream()
                            .filter(m -> m.getChain().equals(summary.getChain()) && m.getMessage() != null)
                            .map(AuditRecord::getMessage)
                            .anyMatch(m -> agent.equals(m.getSender())
                                    || m.getRecipients().contains(agent))) {
                found.put(ViewKeys.conversation(namespace, summary.getProtocol(), summary.getConversation()), summary);
            }
        }
        Bytes seen = after.orElse(null);
        int taken = 0;
        for (Map.Entry<Bytes, ConversationSummary> entry :
                after.map(key -> found.tailMap(key, false)).orElse(found).entrySet()) {
            if (taken == limit || !page.test(entry.getKey(), entry.getValue())) {
                return Optional.ofNullable(seen);
            }
            taken++;
            seen = entry.getKey();
        }
        return Optional.empty();
    }

    @Override
    public Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String conversation) {
        fail();
        return conversations.stream()
                .filter(c -> c.getNamespace().equals(namespace)
                        && c.getProtocol() == protocol
                        && c.getConversation().equals(conversation))
                .findFirst();
    }

    @Override
    public List<AuditRecord> messages(String chain, long from, int limit) {
        fail();
        List<AuditRecord> slice = new ArrayList<>();
        long bytes = 0;
        for (AuditRecord m : messages) {
            if (m.getChain().equals(chain) && m.getSequence() >= from && slice.size() < limit && bytes < SLICE_BYTES) {
                slice.add(m);
                bytes += m.getMessage() == null ? 0 : m.getMessage().getRaw().remaining();
            }
        }
        return slice;
    }

    @Override
    public Optional<Beginning> beginning(String chain) {
        fail();
        return Optional.ofNullable(beginnings.get(chain));
    }

    @Override
    public Optional<String> checkpoints(
            String namespace, String context, Optional<String> cursor, int limit, Predicate<CheckpointNode> page) {
        return page(of(namespace, context), cursor, limit, page);
    }

    @Override
    public Optional<CheckpointNode> checkpoint(String namespace, String context, String id) {
        fail();
        return of(namespace, context).stream()
                .filter(n -> n.checkpoint().getId().equals(id))
                .findFirst();
    }

    @Override
    public List<String> heads(String namespace, String context, int limit) {
        fail();
        return of(namespace, context).stream()
                .filter(CheckpointNode::head)
                .map(n -> n.checkpoint().getId())
                .limit(limit)
                .toList();
    }

    @Override
    public Optional<String> latestAt(String namespace, String context, Instant time) {
        return latest(namespace, context, handled -> !handled.getTimestamp().isAfter(time));
    }

    @Override
    public Optional<String> latestAt(String namespace, String context, String topic, int partition, long offset) {
        return latest(
                namespace,
                context,
                handled -> handled.getTopic().equals(topic)
                        && handled.getPartition() == partition
                        && handled.getOffset() <= offset);
    }

    private Optional<String> latest(String namespace, String context, Predicate<Source> covered) {
        fail();
        return of(namespace, context).stream()
                .map(CheckpointNode::checkpoint)
                .filter(c -> covered.test(c.getReleasedBy() == null ? c.getSource() : c.getReleasedBy()))
                .max(Comparator.comparingLong(Checkpoint::getOrdinal))
                .map(Checkpoint::getId);
    }

    @Override
    public Optional<CheckpointNode> checkpoint(String namespace, String context, long ordinal) {
        fail();
        return of(namespace, context).stream()
                .filter(n -> n.checkpoint().getOrdinal() == ordinal)
                .findFirst();
    }

    @Override
    public Optional<Bytes> deadLetters(
            DeadLetterFilter filter,
            Predicate<DeadLetterSummary> visible,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, DeadLetterSummary> page) {
        return keyed(
                deadLetters.stream()
                        .filter(letter -> filter.matches(letter) && visible.test(letter))
                        .toList(),
                after,
                limit,
                page);
    }

    @Override
    public Optional<Bytes> deadLettersByCode(
            DeadLetterFilter filter,
            Predicate<DeadLetterSummary> visible,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, DeadLetterSummary> page) {
        return deadLetters(filter, visible, after, limit, page);
    }

    @Override
    public boolean isReturned(InputPosition failed) {
        fail();
        return returned.contains(failed);
    }

    @Override
    public Optional<Bytes> search(
            SearchQuery query, Optional<Bytes> after, int limit, BiPredicate<Bytes, AuditRecord> page) {
        return keyed(messages.stream().filter(query::matches).toList(), after, limit, page);
    }

    @Override
    public Optional<AuditHead> head(int partition) {
        fail();
        return heads.stream().filter(head -> head.getPartition() == partition).findFirst();
    }

    @Override
    public Optional<AuditTile> tile(int partition, int level, long index) {
        fail();
        return tiles.stream()
                .filter(tile ->
                        tile.getPartition() == partition && tile.getLevel() == level && tile.getIndex() == index)
                .findFirst();
    }

    @Override
    public List<AuditHead> heads() {
        fail();
        return List.copyOf(heads);
    }

    @Override
    public Optional<Bytes> openItems(
            OpenItemFilter filter, Optional<Bytes> after, int limit, BiPredicate<Bytes, OpenItem> page) {
        return keyed(openItems.stream().filter(filter::matches).toList(), after, limit, page);
    }

    @Override
    public Optional<Bytes> parked(
            Optional<String> namespace,
            Optional<String> context,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ParkedItem> page) {
        return keyed(
                parked.stream()
                        .filter(item -> namespace.isEmpty() || namespace.get().equals(item.getNamespace()))
                        .filter(item -> context.isEmpty() || context.get().equals(item.getContext()))
                        .toList(),
                after,
                limit,
                page);
    }

    @Override
    public Optional<ParkedItem> parked(InputPosition position) {
        fail();
        return parked.stream()
                .filter(item -> InputPosition.of(item.getSource()).equals(position))
                .findFirst();
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
        TreeMap<Bytes, ClaimedRecord> all = new TreeMap<>(claims);
        if (seesPrivate) {
            all.putAll(privateClaims);
        }
        Bytes seen = after.orElse(null);
        int taken = 0;
        for (Map.Entry<Bytes, ClaimedRecord> entry :
                after.map(key -> all.tailMap(key, false)).orElse(all).entrySet()) {
            ClaimedRecord claim = entry.getValue();
            if (claim.getNamespace().equals(namespace)
                    && (protocol.isEmpty() || protocol.get() == claim.getProtocol())
                    && (code.isEmpty() || code.get().equals(claim.getCode()))
                    && (taken++ == limit || !page.test(entry.getKey(), claim))) {
                return Optional.ofNullable(seen);
            }
            seen = entry.getKey();
        }
        return Optional.empty();
    }

    @Override
    public void statistics(Statistic statistic, long from, long to, Predicate<StatisticRow> visitor) {
        fail();
        for (SpecificRecord row : rows) {
            long start =
                    ((Instant) row.get(row.getSchema().getField("windowStart").pos())).toEpochMilli();
            if (row.getSchema().equals(statistic.schema())
                    && start >= from
                    && start < to
                    && !visitor.test(new StatisticRow(row))) {
                return;
            }
        }
    }

    @Override
    public Optional<ChainPosition> chainPosition(InputPosition position) {
        fail();
        return messages.stream()
                .filter(m -> m.getSource().getTopic().equals(position.topic())
                        && m.getSource().getPartition() == position.partition()
                        && m.getSource().getOffset() == position.offset())
                .map(m -> new ChainPosition(m.getChain(), m.getSequence()))
                .findFirst()
                .or(() -> Optional.ofNullable(links.get(position)));
    }

    @Override
    public boolean hasDeadLetterOf(InputPosition position) {
        fail();
        return deadLetters.stream()
                .anyMatch(d -> position.topic().equals(d.getSourceTopic())
                        && Integer.valueOf(position.partition()).equals(d.getSourcePartition())
                        && Long.valueOf(position.offset()).equals(d.getSourceOffset()));
    }

    @Override
    public Optional<dev.parley.avro.Redaction> redactionOf(InputPosition position, ByteBuffer recordHash) {
        fail();
        return redactions.stream()
                .filter(r -> r.getSource().getTopic().equals(position.topic())
                        && r.getSource().getPartition() == position.partition()
                        && r.getSource().getOffset() == position.offset()
                        && r.getRecordHash().equals(recordHash))
                .findFirst();
    }

    @Override
    public boolean isRedacted(InputPosition position) {
        fail();
        return redactions.stream()
                .anyMatch(r -> r.getSource().getTopic().equals(position.topic())
                        && r.getSource().getPartition() == position.partition()
                        && r.getSource().getOffset() == position.offset());
    }

    @Override
    public List<Accounting> accounting() {
        fail();
        return List.copyOf(accounting);
    }

    private List<CheckpointNode> of(String namespace, String context) {
        return nodes.stream()
                .filter(n -> n.checkpoint().getNamespace().equals(namespace)
                        && n.checkpoint().getContext().equals(context))
                .toList();
    }

    /**
     * A page of items. A key is that of a conversation in its first byte, then "at" and the index of the item in eight
     * digits.
     */
    private <T> Optional<Bytes> keyed(List<T> all, Optional<Bytes> after, int limit, BiPredicate<Bytes, T> page) {
        int start = after.map(key -> index(new String(key.get(), StandardCharsets.UTF_8).substring(1)) + 1)
                .orElse(0);
        AtomicInteger index = new AtomicInteger(start);
        return page(all, Optional.of("at" + start), limit, item -> page.test(key(index.getAndIncrement()), item))
                .map(next -> key(index(next) - 1));
    }

    private static Bytes key(int index) {
        return Bytes.wrap("\u0001at%08d".formatted(index).getBytes(StandardCharsets.UTF_8));
    }

    private static int index(String cursor) {
        if (!cursor.startsWith("at")) {
            throw new InvalidCursorException("it is not a cursor of this API");
        }
        return Integer.parseInt(cursor.substring(2));
    }

    private <T> Optional<String> page(List<T> all, Optional<String> cursor, int limit, Predicate<T> page) {
        fail();
        int from = cursor.map(FakeViews::index).orElse(0);
        int to = from;
        while (to < all.size() && to - from < limit && page.test(all.get(to))) {
            to++;
        }
        return to < all.size() ? Optional.of("at" + to) : Optional.empty();
    }

    private void fail() {
        if (failure != null) {
            throw failure;
        }
    }
}
