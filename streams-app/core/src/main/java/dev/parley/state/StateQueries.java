package dev.parley.state;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.decode.ConversationKey;
import dev.parley.gloss.Definitions;
import dev.parley.state.StateAnswer.Changed;
import dev.parley.state.StateAnswer.Counts;
import dev.parley.state.StateAnswer.Diff;
import dev.parley.state.StateAnswer.DiffPage;
import dev.parley.state.StateAnswer.Difference;
import dev.parley.state.StateAnswer.Entry;
import dev.parley.state.StateAnswer.State;
import dev.parley.state.StateAnswer.StatePage;
import dev.parley.state.StateAnswer.Subject;
import dev.parley.state.StateReader.StateAsOf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Queries about the states of conversations as of any moment, in one form for all protocols: the state, the origin of
 * each entry, the difference of two states, the history of an entry, the checkpoints of a CSP context. Every method may
 * throw {@link StateQueryException}, and any exception of the source and the budget. For one thread.
 */
public final class StateQueries {
    private final StateSource source;
    private final Function<String, Optional<StateModel>> models;
    private final UnaryOperator<AuditRecord> visible;
    private final QueryBudget budget;
    private final BiFunction<AgentMessage, Definitions, String> glosses;
    private final KnowledgeReader knowledge;

    /**
     * Queries.
     *
     * @param models returns the state model of a protocol by its name in chain keys; empty for an unknown protocol
     * @param visible the part of a message that the caller may see; null for a message that is omitted before any
     *     computation
     * @param budget bounds of the one query that is made
     */
    public StateQueries(
            StateSource source,
            Function<String, Optional<StateModel>> models,
            UnaryOperator<AuditRecord> visible,
            QueryBudget budget) {
        this(source, models, visible, budget, null);
    }

    /**
     * Queries whose histories have glosses.
     *
     * @param models returns the state model of a protocol by its name in chain keys; empty for an unknown protocol
     * @param visible the part of a message that the caller may see; null for a message that is omitted before any
     *     computation
     * @param budget bounds of the one query that is made
     * @param glosses the gloss of a message with the definitions in force; null for histories without glosses
     */
    public StateQueries(
            StateSource source,
            Function<String, Optional<StateModel>> models,
            UnaryOperator<AuditRecord> visible,
            QueryBudget budget,
            BiFunction<AgentMessage, Definitions, String> glosses) {
        this.source = source;
        this.models = models;
        this.visible = visible;
        this.budget = budget;
        this.glosses = glosses;
        this.knowledge = new KnowledgeReader(source, visible, budget);
    }

    /** The state as of a point in time. */
    public State state(ConversationKey conversation, PointInTime at) {
        StateReader reader = reader(conversation);
        StateAsOf state = reader.at(at);
        return state(
                conversation,
                at,
                state.asOf(),
                reader.otherHeads(at, state.asOf()),
                kind(conversation).structure().apply(state.entries()),
                reader);
    }

    /** A state without its entries, as of the point that a point in time resolves to; cheap for any CSP context. */
    public State point(ConversationKey conversation, PointInTime at) {
        StateReader reader = reader(conversation);
        return state(conversation, at, reader.point(at), List.of(), Map.of(), reader);
    }

    private State state(
            ConversationKey conversation,
            PointInTime at,
            StatePoint asOf,
            List<String> otherHeads,
            Map<String, Object> members,
            StateReader reader) {
        return new State(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                kind(conversation).name(),
                at.toString(),
                asOf,
                otherHeads,
                members,
                reader.redacted());
    }

    /**
     * The entries of the state as of a point in time, by name.
     *
     * @param cursor {@code next} of the previous page, the name of its last entry; empty for the first page
     * @param limit maximum number of entries
     */
    public StatePage state(ConversationKey conversation, PointInTime at, Optional<String> cursor, int limit) {
        StateReader reader = reader(conversation);
        StateAsOf state = reader.at(at);
        List<Entry> entries = new ArrayList<>();
        String next = fill(
                entries,
                state.entries(),
                cursor,
                limit,
                name -> new Entry(name, state.entries().get(name)));
        return new StatePage(
                Subject.of(conversation, kind(conversation)),
                at.toString(),
                state.asOf(),
                reader.otherHeads(at, state.asOf()),
                reader.redacted(),
                state.entries().size(),
                entries,
                next);
    }

    /**
     * The entries of the state as of a point in time, by name, each with its origin.
     *
     * @param wanted tests the names of entries
     * @param cursor {@code next} of the previous page; empty for the first page
     * @param limit maximum number of entries
     */
    public StateAnswer.Blame blame(
            ConversationKey conversation,
            PointInTime at,
            Predicate<String> wanted,
            Optional<String> cursor,
            int limit) {
        StateReader reader = reader(conversation);
        StateAsOf state = reader.at(at);
        SortedMap<String, String> named = new TreeMap<>(state.entries());
        named.keySet().removeIf(wanted.negate());
        List<StateEntry> entries = new ArrayList<>();
        String next = fill(
                entries,
                named,
                cursor,
                limit,
                name -> new StateEntry(
                        name, state.entries().get(name), state.origins().apply(name)));
        return new StateAnswer.Blame(
                Subject.of(conversation, kind(conversation)),
                at.toString(),
                state.asOf(),
                entries,
                next,
                reader.redacted());
    }

    /** Returns the difference between the states as of two points in time, in any order. */
    public Diff diff(ConversationKey conversation, PointInTime from, PointInTime to) {
        StateReader reader = reader(conversation);
        StateAsOf before = reader.at(from);
        StateAsOf after = reader.at(to);
        List<Entry> added = new ArrayList<>();
        List<Changed> changed = new ArrayList<>();
        List<Entry> removed = new ArrayList<>();
        after.entries().forEach((name, value) -> {
            String old = before.entries().get(name);
            if (old == null) {
                added.add(new Entry(name, value));
            } else if (!old.equals(value)) {
                changed.add(new Changed(name, old, value));
            }
        });
        before.entries().forEach((name, value) -> {
            if (!after.entries().containsKey(name)) {
                removed.add(new Entry(name, value));
            }
        });
        return new Diff(
                Subject.of(conversation, kind(conversation)),
                from.toString(),
                to.toString(),
                before.asOf(),
                after.asOf(),
                added,
                changed,
                removed,
                reader.redacted());
    }

    /**
     * Returns a page of the difference between the states as of two points in time.
     *
     * @param cursor {@code next} of the previous page, the name of its last entry; empty for the first page
     * @param limit maximum number of changes
     */
    public DiffPage diff(
            ConversationKey conversation, PointInTime from, PointInTime to, Optional<String> cursor, int limit) {
        Diff diff = diff(conversation, from, to);
        SortedMap<String, Difference> all = new TreeMap<>();
        diff.added().forEach(each -> all.put(each.entry(), new Difference(each.entry(), "ADDED", null, each.value())));
        diff.changed()
                .forEach(each ->
                        all.put(each.entry(), new Difference(each.entry(), "CHANGED", each.before(), each.after())));
        diff.removed()
                .forEach(each -> all.put(each.entry(), new Difference(each.entry(), "REMOVED", each.value(), null)));
        List<Difference> items = new ArrayList<>();
        String next = fill(items, all, cursor, limit, all::get);
        return new DiffPage(
                diff.about(),
                diff.from(),
                diff.to(),
                diff.fromAsOf(),
                diff.toAsOf(),
                diff.redacted(),
                new Counts(
                        diff.added().size(),
                        diff.changed().size(),
                        diff.removed().size()),
                items,
                next);
    }

    /**
     * Adds items to a page in the order of their names, within the limit and the budget.
     *
     * @param cursor name of the last item of the previous page
     * @return the cursor of the next page; null if this is the last
     */
    private <T> String fill(
            List<T> page, SortedMap<String, ?> all, Optional<String> cursor, int limit, Function<String, T> item) {
        String last = null;
        for (String name : all.keySet()) {
            if (cursor.isPresent() && name.compareTo(cursor.get()) <= 0) {
                continue;
            }
            T next = item.apply(name);
            if (page.size() == limit || !budget.add(next, page.isEmpty())) {
                return last;
            }
            page.add(next);
            last = name;
        }
        return null;
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
    public CheckpointDetail checkpoint(ConversationKey context, String id) {
        return CheckpointDetail.of(context(context).node(id));
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
        return knowledge.read(summary, conversation, model(conversation), agent, until);
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
                    .map(summary -> new FoldedStates(source, key, folded, summary, visible, budget, glosses))
                    .orElseThrow(() -> StateQueryException.unknown(key));
        }
        return new CheckpointStates(source, context(key), budget);
    }
}
