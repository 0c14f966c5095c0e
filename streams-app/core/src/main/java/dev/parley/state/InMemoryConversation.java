package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.decode.ConversationKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** One conversation in memory, for queries about a transcript. Records must be added in order. Not thread-safe. */
public final class InMemoryConversation implements StateSource {
    private final ConversationKey key;
    private final List<AuditRecord> records = new ArrayList<>();
    private final TreeMap<Long, Checkpoint> checkpoints = new TreeMap<>();
    private final Map<String, Long> ordinals = new HashMap<>();
    private final Set<String> parents = new HashSet<>();

    /** Creates an empty conversation, which ignores records of others. */
    public InMemoryConversation(ConversationKey key) {
        this.key = key;
    }

    /** Adds the next audit record. */
    public void accept(AuditRecord record) {
        if (record.getChain().equals(key.toString())) {
            records.add(record);
        }
    }

    /** Adds or replaces a checkpoint. */
    public void accept(Checkpoint checkpoint) {
        if (CheckpointKey.chain(checkpoint.getNamespace(), checkpoint.getContext())
                .equals(key)) {
            checkpoints.put(checkpoint.getOrdinal(), checkpoint);
            ordinals.put(checkpoint.getId(), checkpoint.getOrdinal());
            parents.add(checkpoint.getParent());
        }
    }

    @Override
    public Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String conversation) {
        if (records.isEmpty() || protocol != key.symbol() || !isOf(namespace, conversation)) {
            return Optional.empty();
        }
        ConversationSummary summary = new ConversationSummary();
        summary.setChain(key.toString());
        summary.setNamespace(namespace);
        summary.setProtocol(protocol);
        summary.setConversation(conversation);
        summary.setLastSequence(records.get(records.size() - 1).getSequence());
        return Optional.of(summary);
    }

    @Override
    public List<AuditRecord> messages(String chain, long from, int limit) {
        if (!chain.equals(key.toString()) || from >= records.size()) {
            return List.of();
        }
        return records.subList((int) from, (int) Math.min(records.size(), from + limit));
    }

    @Override
    public Optional<Beginning> beginning(String chain) {
        return Optional.empty();
    }

    @Override
    public Optional<String> checkpoints(
            String namespace, String context, Optional<String> cursor, int limit, Predicate<CheckpointNode> page) {
        long seen = cursor.map(Long::parseLong).orElse(-1L);
        int taken = 0;
        for (Checkpoint checkpoint : of(namespace, context).tailMap(seen, false).values()) {
            if (taken == limit || !page.test(node(checkpoint))) {
                return Optional.of(Long.toString(seen));
            }
            taken++;
            seen = checkpoint.getOrdinal();
        }
        return Optional.empty();
    }

    @Override
    public Optional<CheckpointNode> checkpoint(String namespace, String context, String id) {
        return Optional.ofNullable(ordinals.get(id))
                .map(of(namespace, context)::get)
                .map(this::node);
    }

    @Override
    public Optional<CheckpointNode> checkpoint(String namespace, String context, long ordinal) {
        return Optional.ofNullable(of(namespace, context).get(ordinal)).map(this::node);
    }

    @Override
    public List<String> heads(String namespace, String context, int limit) {
        return of(namespace, context).values().stream()
                .map(Checkpoint::getId)
                .filter(id -> !parents.contains(id))
                .sorted()
                .limit(limit)
                .toList();
    }

    @Override
    public Optional<String> latestAt(String namespace, String context, PointInTime.OfInputs at) {
        return of(namespace, context).descendingMap().values().stream()
                .filter(node -> at.covers(node.getReleasedBy() == null ? node.getSource() : node.getReleasedBy()))
                .map(Checkpoint::getId)
                .findFirst();
    }

    /** The checkpoints by ordinal; none of another context. */
    private NavigableMap<Long, Checkpoint> of(String namespace, String context) {
        return isOf(namespace, context) ? checkpoints : Collections.emptyNavigableMap();
    }

    private CheckpointNode node(Checkpoint checkpoint) {
        return new CheckpointNode(checkpoint, !parents.contains(checkpoint.getId()));
    }

    private boolean isOf(String namespace, String conversation) {
        return namespace.equals(key.namespace()) && conversation.equals(key.nameInViews());
    }
}
