package dev.parley.state;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.checkpoint.StateDiff;
import dev.parley.decode.ConversationKey;
import dev.parley.gloss.Definitions;
import dev.parley.state.StateReader.StateAsOf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Queries about the states of conversations as of any moment, in one form for all protocols: the state, the origin of
 * each entry, the difference of two states, the history of an entry, the checkpoints of a CSP context. Every method may
 * throw {@link StateQueryException}, and any exception of the source and the budget. For one thread.
 */
public final class StateQueries {
    private final StateSource source;
    private final Function<String, Optional<StateModel>> models;
    private final Predicate<AuditRecord> hidden;
    private final QueryBudget budget;
    private final BiFunction<AgentMessage, Definitions, String> glosses;
    private final KnowledgeReader knowledge;

    /**
     * Queries.
     *
     * @param models returns the state model of a protocol by its name in chain keys; empty for an unknown protocol
     * @param hidden messages that the caller may not see; they are omitted before any computation
     * @param budget bounds of the one query that is made
     */
    public StateQueries(
            StateSource source,
            Function<String, Optional<StateModel>> models,
            Predicate<AuditRecord> hidden,
            QueryBudget budget) {
        this(source, models, hidden, budget, null);
    }

    /**
     * Queries whose histories have glosses.
     *
     * @param models returns the state model of a protocol by its name in chain keys; empty for an unknown protocol
     * @param hidden messages that the caller may not see; they are omitted before any computation
     * @param budget bounds of the one query that is made
     * @param glosses the gloss of a message with the definitions in force; null for histories without glosses
     */
    public StateQueries(
            StateSource source,
            Function<String, Optional<StateModel>> models,
            Predicate<AuditRecord> hidden,
            QueryBudget budget,
            BiFunction<AgentMessage, Definitions, String> glosses) {
        this.source = source;
        this.models = models;
        this.hidden = hidden;
        this.budget = budget;
        this.glosses = glosses;
        this.knowledge = new KnowledgeReader(source, hidden, budget);
    }

    /** The state as of a point in time. */
    public StateAnswer.State state(ConversationKey conversation, PointInTime at) {
        StateReader reader = reader(conversation);
        StateAsOf state = reader.at(at);
        return new StateAnswer.State(
                conversation,
                kind(conversation),
                at,
                state.asOf(),
                reader.otherHeads(at, state.asOf()),
                state.entries(),
                reader.redacted());
    }

    /** The point that a point in time resolves to, without the state; cheap for a CSP context of any size. */
    public StateAnswer.Point point(ConversationKey conversation, PointInTime at) {
        StateReader reader = reader(conversation);
        return new StateAnswer.Point(conversation, kind(conversation), at, reader.point(at), reader.redacted());
    }

    /**
     * The entries of the state as of a point in time, by name, each with its origin.
     *
     * @param entry the only entry wanted; empty for all
     * @param cursor {@code next} of the previous page; empty for the first page
     * @param limit maximum number of entries
     */
    public StateAnswer.Blame blame(
            ConversationKey conversation, PointInTime at, Optional<String> entry, Optional<String> cursor, int limit) {
        StateReader reader = reader(conversation);
        StateAsOf state = reader.at(at);
        SortedMap<String, String> rest =
                cursor.map(last -> state.entries().tailMap(last + '\0')).orElse(state.entries());
        if (entry.isPresent()) {
            String name = entry.get();
            rest = rest.containsKey(name) ? rest.subMap(name, name + '\0') : Collections.emptySortedMap();
        }
        List<StateEntry> entries = new ArrayList<>();
        String next = null;
        for (Map.Entry<String, String> each : rest.entrySet()) {
            StateEntry item = new StateEntry(
                    each.getKey(), each.getValue(), state.origins().apply(each.getKey()));
            if (entries.size() == limit || !budget.add(item, entries.isEmpty())) {
                next = entries.get(entries.size() - 1).entry();
                break;
            }
            entries.add(item);
        }
        return new StateAnswer.Blame(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                kind(conversation).name(),
                at.toString(),
                state.asOf(),
                entries,
                next,
                reader.redacted());
    }

    /** Returns the difference between the states as of two points in time, in any order. */
    public StateAnswer.Difference diff(ConversationKey conversation, PointInTime from, PointInTime to) {
        StateReader reader = reader(conversation);
        StateAsOf before = reader.at(from);
        StateAsOf after = reader.at(to);
        return new StateAnswer.Difference(
                conversation,
                kind(conversation),
                from,
                to,
                before.asOf(),
                after.asOf(),
                StateDiff.between(before.entries(), after.entries()),
                reader.redacted());
    }

    /**
     * The changes of one entry up to a point in time, latest first.
     *
     * @param cursor {@code next} of the previous page; empty for the first page
     * @param limit maximum number of changes
     */
    public StateAnswer.History history(
            ConversationKey conversation, String entry, PointInTime at, Optional<String> cursor, int limit) {
        return reader(conversation).history(entry, at, cursor, limit);
    }

    /**
     * The checkpoints of a CSP context in the order of application, the root first.
     *
     * @param cursor {@code next} of the previous page; empty for the first page
     * @param limit maximum number of checkpoints
     */
    public StateAnswer.Tree tree(ConversationKey context, Optional<String> cursor, int limit) {
        return context(context).tree(cursor, limit, budget);
    }

    /** One checkpoint of a CSP context; a pruned one has no operations. */
    public CheckpointNode checkpoint(ConversationKey context, String id) {
        return context(context).node(id);
    }

    /**
     * The entries that a conversation had shown an agent: those of the accepted messages up to a time that it sent or
     * that were addressed to it.
     *
     * @param until record time of the last message that counts
     */
    public StateAnswer.Knowledge knowledge(ConversationKey conversation, String agent, Instant until) {
        ConversationSummary summary = source.conversation(
                        conversation.namespace(), conversation.symbol(), conversation.nameInViews())
                .orElseThrow(() -> StateQueryException.unknown(conversation));
        return knowledge.read(summary, conversation, model(conversation), new KnowledgeReader.Agent(agent, until));
    }

    /** Approximate bytes of the messages and states that {@link #knowledge} has read. */
    public long knowledgeBytes() {
        return knowledge.bytesRead();
    }

    private StateKind kind(ConversationKey conversation) {
        return model(conversation).kind();
    }

    private StateModel model(ConversationKey conversation) {
        return models.apply(conversation.protocol()).orElseThrow(() -> StateQueryException.unknown(conversation));
    }

    private CspContextReader context(ConversationKey key) {
        if (models.apply(key.protocol())
                .filter(StateModel.Checkpoints.class::isInstance)
                .isEmpty()) {
            throw StateQueryException.noCheckpoints(key.protocol());
        }
        CspContextReader context = new CspContextReader(source, key);
        if (!context.exists()) {
            throw StateQueryException.unknown(key);
        }
        return context;
    }

    private StateReader reader(ConversationKey key) {
        if (model(key) instanceof StateModel.Folded folded) {
            return source.conversation(key.namespace(), key.symbol(), key.nameInViews())
                    .map(summary -> new FoldedStates(source, key, folded, summary, hidden, budget, glosses))
                    .orElseThrow(() -> StateQueryException.unknown(key));
        }
        return new CheckpointStates(source, context(key), budget);
    }
}
