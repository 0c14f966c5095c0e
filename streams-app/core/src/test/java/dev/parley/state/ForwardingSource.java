package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A source that forwards to another and records its reads. Tests override the methods that should differ. */
class ForwardingSource implements StateSource {
    /** Reads of messages, as first sequence and limit. */
    final List<String> messageReads = new ArrayList<>();
    /** Limits of the read pages of checkpoints. */
    final List<Integer> checkpointPages = new ArrayList<>();

    private final StateSource source;

    ForwardingSource(StateSource source) {
        this.source = source;
    }

    @Override
    public Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String conversation) {
        return source.conversation(namespace, protocol, conversation);
    }

    @Override
    public List<AuditRecord> messages(String chain, long from, int limit) {
        messageReads.add(from + "+" + limit);
        return source.messages(chain, from, limit);
    }

    @Override
    public Optional<Beginning> beginning(String chain) {
        return source.beginning(chain);
    }

    @Override
    public Optional<String> checkpoints(
            String namespace, String context, Optional<String> cursor, int limit, Predicate<CheckpointNode> page) {
        checkpointPages.add(limit);
        return source.checkpoints(namespace, context, cursor, limit, page);
    }

    @Override
    public Optional<CheckpointNode> checkpoint(String namespace, String context, String id) {
        return source.checkpoint(namespace, context, id);
    }

    @Override
    public Optional<CheckpointNode> checkpoint(String namespace, String context, long ordinal) {
        return source.checkpoint(namespace, context, ordinal);
    }

    @Override
    public List<String> heads(String namespace, String context, int limit) {
        return source.heads(namespace, context, limit);
    }

    @Override
    public Optional<String> latestAt(String namespace, String context, PointInTime.OfInputs at) {
        return source.latestAt(namespace, context, at);
    }
}
