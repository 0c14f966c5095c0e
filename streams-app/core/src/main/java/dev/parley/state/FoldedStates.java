package dev.parley.state;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.decode.ConversationKey;
import dev.parley.gloss.Definitions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.Spliterators;
import java.util.Spliterators.AbstractSpliterator;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Computes the states of a conversation whose protocol has no checkpoints. Hidden and redacted messages are excluded
 * before the fold, so that no state reveals them.
 */
final class FoldedStates implements StateReader {
    private final StateSource source;
    private final ConversationKey key;
    private final StateModel.Folded model;
    private final ConversationSummary conversation;
    private final UnaryOperator<AuditRecord> visible;
    private final QueryBudget budget;
    private final BiFunction<AgentMessage, Definitions, String> glosses;
    private boolean redacted;

    FoldedStates(
            StateSource source,
            ConversationKey key,
            StateModel.Folded model,
            ConversationSummary conversation,
            UnaryOperator<AuditRecord> visible,
            QueryBudget budget,
            BiFunction<AgentMessage, Definitions, String> glosses) {
        this.source = source;
        this.key = key;
        this.model = model;
        this.conversation = conversation;
        this.visible = visible;
        this.budget = budget;
        this.glosses = glosses;
    }

    @Override
    public StateAsOf at(PointInTime moment) {
        Replay.StateAsOf state = replay(moment);
        SortedMap<String, String> values = new TreeMap<>();
        state.entries().forEach((name, entry) -> values.put(name, entry.value()));
        return new StateAsOf(
                state.last().orElse(null),
                values,
                name -> state.entries().get(name).by());
    }

    @Override
    public StateAnswer.History history(String entry, PointInTime at, Optional<String> cursor, int limit) {
        long last = cursor.map(FoldedStates::before).orElseGet(() -> lastCovered(at));
        Replay.History history = complete(
                Replay.history(model, entry, last, limit, budget.left(), this::records, budget::retain, glosses));
        List<EntryChange> changes = new ArrayList<>();
        String seen = null;
        boolean more = history.more();
        for (EntryChange change : history.steps()) {
            if (!budget.add(change, changes.isEmpty())) {
                more = true;
                break;
            }
            changes.add(change);
            seen = Long.toString(((ChangeOrigin.Message) change.by()).sequence());
        }
        return new StateAnswer.History(
                StateAnswer.Subject.of(key, model.kind()),
                entry,
                at.toString(),
                changes,
                more ? seen : null,
                null,
                redacted);
    }

    @Override
    public boolean redacted() {
        return redacted;
    }

    private long lastCovered(PointInTime at) {
        if (at instanceof PointInTime.Latest) {
            return conversation.getLastSequence();
        }
        return replay(at).last().map(ChangeOrigin.Message::sequence).orElse(-1L);
    }

    private Replay.StateAsOf replay(PointInTime moment) {
        return complete(Replay.at(model, moment, this::records, budget::retain));
    }

    /**
     * Returns the result if the chain was present from its beginning, because the fold of a part would be another
     * state. Checked after the read, because messages may be pruned meanwhile.
     */
    private <T> T complete(T read) {
        source.beginning(conversation.getChain()).ifPresent(beginning -> {
            throw StateQueryException.messagesPruned(beginning);
        });
        return read;
    }

    private static long before(String cursor) {
        try {
            return Long.parseLong(cursor) - 1;
        } catch (NumberFormatException e) {
            throw StateQueryException.invalidCursor("it was not made by this API");
        }
    }

    /** Iterates over the visible messages of the chain, up to its end at the start of the query. */
    private Iterator<AuditRecord> records() {
        Iterator<AuditRecord> records = source.records(conversation.getChain(), 0, conversation.getLastSequence() + 1);
        return Spliterators.iterator(new AbstractSpliterator<AuditRecord>(Long.MAX_VALUE, 0) {
            @Override
            public boolean tryAdvance(Consumer<? super AuditRecord> action) {
                while (records.hasNext()) {
                    AuditRecord record = records.next();
                    AuditRecord shown = record.getRedacted() == null ? visible.apply(record) : null;
                    if (shown != null) {
                        action.accept(shown);
                        return true;
                    }
                    redacted = true;
                }
                return false;
            }
        });
    }
}
