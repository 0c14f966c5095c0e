package dev.parley.state;

import dev.parley.audit.AuditChain;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.CspMessage;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.Definition;
import dev.parley.codec.Code;
import dev.parley.decode.ConversationKey;
import dev.parley.dialogue.CspNames;
import dev.parley.state.StateSource.Beginning;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Computes the entries that a conversation had shown an agent up to a time: those of the accepted messages that the
 * agent sent or that were addressed to it. A message without recipients, and a Λ message to all, is addressed to every
 * agent that takes part in the conversation by then. For one query about any number of conversations; not thread-safe.
 *
 * <p>Agents choose the number and the size of messages, names and states. Beyond the bounds, an answer is partial.
 */
final class KnowledgeReader {
    /** Maximum bytes of the messages of a conversation to read. */
    static final long MAX_MESSAGE_BYTES = 64 << 20;

    /** Maximum memory for the names and values of a conversation. */
    static final long MAX_BYTES = 8 << 20;

    /** Maximum bytes of the states of a context to read. */
    static final long MAX_STATE_BYTES = 64 << 20;

    /** Bytes that a message, a state and a definition count in addition to their content. */
    private static final int RECORD_BYTES = 200;

    private static final int ENTRY_BYTES = 300;

    /** Λ addresses all agents by one of these names. */
    private static final Set<String> ALL = Set.of("*", "A*");

    private final StateSource source;
    private final UnaryOperator<AuditRecord> visible;
    private final QueryBudget budget;

    /** Memory reserved for the largest conversation so far. */
    private long reserved;

    private long bytesRead;

    KnowledgeReader(StateSource source, UnaryOperator<AuditRecord> visible, QueryBudget budget) {
        this.source = source;
        this.visible = visible;
        this.budget = budget;
    }

    /**
     * Reads what a conversation had shown an agent.
     *
     * @param until record time of the last message that counts
     */
    StateAnswer.Knowledge read(
            ConversationSummary summary, ConversationKey key, StateModel model, String agent, Instant until) {
        Shown shown = model instanceof StateModel.Folded folded
                ? new ShownChanges(folded)
                : new ShownCheckpoints(new CspContextReader(source, key), until);
        boolean takesPart = false;
        boolean redacted = false;
        long read = 0;
        long from = source.beginning(summary.getChain()).map(Beginning::first).orElse(0L);
        Iterator<AuditRecord> records = source.records(summary.getChain(), from, summary.getLastSequence() + 1);
        while (records.hasNext() && !shown.partial) {
            AuditRecord whole = records.next();
            read += size(whole);
            boolean isLater = whole.getSource().getTimestamp().isAfter(until);
            AuditRecord record = isLater || whole.getRedacted() != null ? null : visible.apply(whole);
            if (record == null) {
                redacted |= !isLater;
            } else if (Fold.counts(record)) {
                AgentMessage message = record.getMessage();
                boolean named = agent.equals(message.getSender())
                        || message.getRecipients().contains(agent);
                if (!named || shown.isEffective(record)) {
                    takesPart |= named;
                    shown.accept(record, named || isToAll(message));
                    reserve(shown.bytes());
                }
            }
            shown.partial |= (read >= MAX_MESSAGE_BYTES && records.hasNext()) || shown.bytes() > MAX_BYTES;
        }
        SortedMap<String, ShownEntry> entries = takesPart ? shown.finish() : Collections.emptySortedMap();
        // Checked after the read, because messages may be pruned meanwhile.
        boolean pruned = source.beginning(summary.getChain()).isPresent();
        bytesRead += read + shown.stateBytes;
        return new StateAnswer.Knowledge(
                key.namespace(),
                key.symbol().name(),
                key.nameInViews(),
                List.copyOf(entries.values()),
                redacted,
                shown.partial || pruned);
    }

    /** Approximate bytes of the messages and states that were read. */
    long bytesRead() {
        return bytesRead;
    }

    private static long size(AuditRecord record) {
        ByteBuffer raw = AuditChain.raw(record);
        return RECORD_BYTES + (raw == null ? 0 : raw.remaining());
    }

    private void reserve(long bytes) {
        if (bytes > reserved) {
            budget.reserve(bytes - reserved);
            reserved = bytes;
        }
    }

    private static boolean isToAll(AgentMessage message) {
        return message.getLambda() != null && message.getRecipients().stream().anyMatch(ALL::contains)
                || message.getCsp() == null && message.getRecipients().isEmpty();
    }

    /** Collects the entries of one conversation. */
    private abstract static class Shown {
        /** Whether a bound was exceeded. */
        boolean partial;

        /** Bytes of the states that were read. */
        long stateBytes;

        final SortedMap<String, ShownEntry> entries = new TreeMap<>();
        private long bytes;

        /** Whether a message that counts has taken effect by the time of the query. */
        boolean isEffective(AuditRecord record) {
            return true;
        }

        /**
         * Adds the next message.
         *
         * @param toAgent whether the agent sent it or is addressed by it
         */
        abstract void accept(AuditRecord record, boolean toAgent);

        /** Returns the entries after the last message. */
        SortedMap<String, ShownEntry> finish() {
            return entries;
        }

        long bytes() {
            return bytes;
        }

        void hold(long more) {
            bytes += more;
        }

        void put(ShownEntry entry) {
            remove(entry.entry());
            entries.put(entry.entry(), entry);
            hold(weight(entry));
        }

        void remove(String name) {
            ShownEntry before = entries.remove(name);
            if (before != null) {
                hold(-weight(before));
            }
        }

        private static long weight(ShownEntry entry) {
            String sender = entry.shownBy().sender();
            return ENTRY_BYTES
                    + entry.entry().length()
                    + (entry.value() == null ? 0 : entry.value().length())
                    + (sender == null ? 0 : sender.length());
        }
    }

    /** The changes of a state that is a fold of messages. */
    private static final class ShownChanges extends Shown {
        private final StateReducer reducer;

        ShownChanges(StateModel.Folded model) {
            reducer = model.changes().get();
        }

        @Override
        void accept(AuditRecord record, boolean toAgent) {
            for (Change change : reducer.of(record)) {
                if (!toAgent) {
                    continue;
                }
                if (change.value().isPresent()) {
                    put(new ShownEntry(change.entry(), change.value().get(), null, ChangeOrigin.Message.of(record)));
                } else {
                    remove(change.entry());
                }
            }
        }

        @Override
        long bytes() {
            return super.bytes() + reducer.bytes();
        }
    }

    /** The checkpoints that messages name in CTX or make, and their definitions. */
    private final class ShownCheckpoints extends Shown {
        private final CspContextReader context;
        private final Instant until;

        /** The first messages that showed the checkpoints, by ID; the checkpoint shown last comes last. */
        private final Map<String, ChangeOrigin.Message> showings = new LinkedHashMap<>();

        /** Checkpoints with opaque names. A CTX with another such name is not a checkpoint (docs/protocols.md C3). */
        private final Set<String> made = new HashSet<>();

        ShownCheckpoints(CspContextReader context, Instant until) {
            this.context = context;
            this.until = until;
        }

        /** A parked patch takes effect with the record that releases it. */
        @Override
        boolean isEffective(AuditRecord record) {
            return !Checkpoints.isPatch(record.getMessage())
                    || context.find(record.getMessage().getCsp().getTarget())
                            .map(CheckpointNode::checkpoint)
                            .map(Checkpoint::getReleasedBy)
                            .filter(release -> release.getTimestamp().isAfter(until))
                            .isEmpty();
        }

        @Override
        void accept(AuditRecord record, boolean toAgent) {
            CspMessage message = record.getMessage().getCsp();
            if (toAgent && isCheckpoint(message.getCtx(), record)) {
                show(message.getCtx(), record);
            }
            if (Checkpoints.isPatch(record.getMessage())) {
                String target = message.getTarget();
                if (!CspNames.isCheckpoint(target) && made.add(target)) {
                    hold(ENTRY_BYTES + target.length());
                }
                if (toAgent) {
                    show(target, record);
                }
            }
        }

        private boolean isCheckpoint(String ctx, AuditRecord record) {
            return CspNames.isCheckpoint(ctx)
                    ? !record.getWarnings().contains(Code.CSP_UNKNOWN_CTX.name())
                    : made.contains(ctx);
        }

        private void show(String id, AuditRecord record) {
            ChangeOrigin.Message first = showings.remove(id);
            if (first == null) {
                hold(ENTRY_BYTES + id.length());
            }
            showings.put(id, first == null ? ChangeOrigin.Message.of(record) : first);
        }

        /** Reads the states of the shown checkpoints, the one shown last first, because its values count. */
        @Override
        SortedMap<String, ShownEntry> finish() {
            List<String> latestFirst = new ArrayList<>(showings.keySet());
            Collections.reverse(latestFirst);
            Map<String, Definition> definitions = new HashMap<>();
            for (String id : latestFirst) {
                Optional<CheckpointNode> node = context.find(id);
                if (node.isPresent()) {
                    put(new ShownEntry("checkpoint/" + id, null, null, showings.get(id)));
                    Optional<SortedMap<String, Definition>> state = state(node.get());
                    partial |= state.isEmpty();
                    state.ifPresent(values -> values.forEach((name, value) -> add(id, name, value, definitions)));
                }
            }
            return entries;
        }

        /** Returns the definitions at a checkpoint; empty if it was pruned, and beyond the bounds. */
        private Optional<SortedMap<String, Definition>> state(CheckpointNode node) {
            long size = node.checkpoint().getStateBytes();
            if (stateBytes + size > MAX_STATE_BYTES || bytes() > MAX_BYTES) {
                return Optional.empty();
            }
            reserve(bytes() + size);
            Optional<SortedMap<String, Definition>> state =
                    context.state(node.checkpoint().getId());
            stateBytes += size + RECORD_BYTES * (1L + state.map(Map::size).orElse(0));
            return state;
        }

        /** Adds a definition of a checkpoint, unless a checkpoint shown later defines the name otherwise. */
        private void add(String checkpoint, String name, Definition definition, Map<String, Definition> definitions) {
            String entry = "definition/" + name;
            ChangeOrigin.Message shownBy = showings.get(checkpoint);
            Definition last = definitions.putIfAbsent(name, definition);
            if (last == null) {
                hold(ENTRY_BYTES);
                put(new ShownEntry(entry, definition.value(), checkpoint, shownBy));
            } else if (last.equals(definition)) {
                ShownEntry before = entries.get(entry);
                if (shownBy.sequence() < before.shownBy().sequence()) {
                    put(new ShownEntry(entry, definition.value(), before.checkpoint(), shownBy));
                }
            }
        }
    }
}
