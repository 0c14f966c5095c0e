package dev.parley.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.state.Entry;
import dev.parley.state.Moment;
import dev.parley.state.Replay;
import dev.parley.state.Setter;
import dev.parley.state.StateModel;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The states of a conversation whose protocol keeps none: its messages, folded. What the caller may not see, or was
 * redacted, is left out before the fold, so that nothing of it shows in what comes of it.
 */
final class FoldedStates implements StateReader {
    private static final int PAGE = 50;

    private final StateViews views;
    private final ConversationSummary conversation;
    private final StateModel.Folded model;
    private final Redaction redaction;
    private final ResponseBudget budget;
    private boolean redacted;

    FoldedStates(
            StateViews views,
            ConversationSummary conversation,
            StateModel.Folded model,
            Redaction redaction,
            ResponseBudget budget) {
        this.views = views;
        this.conversation = conversation;
        this.model = model;
        this.redaction = redaction;
        this.budget = budget;
    }

    @Override
    public String kind() {
        return model.kind();
    }

    @Override
    public Stand at(String parameter, Moment moment) {
        Replay.Stand stand = replay(known(parameter, moment));
        SortedMap<String, String> values = new TreeMap<>();
        stand.entries().forEach((name, entry) -> values.put(name, entry.value()));
        return new Stand(stand.last().map(FoldedStates::by), values, name -> {
            Entry entry = stand.entries().get(name);
            return by(entry.setter());
        });
    }

    @Override
    public Steps history(String entry, Moment at, Optional<String> cursor, int limit, Predicate<Step> page) {
        long last = cursor.map(FoldedStates::before).orElseGet(() -> lastCovered(at));
        Replay.History history =
                whole(Replay.history(model, entry, last, limit, budget.left(), this::records, budget::retain));
        Optional<String> seen = Optional.empty();
        for (Replay.Step step : history.steps()) {
            if (!page.test(new Step(step.value(), by(step.setter())))) {
                return new Steps(seen, Optional.empty());
            }
            seen = Optional.of(Long.toString(step.setter().sequence()));
        }
        return new Steps(history.more() ? seen : Optional.empty(), Optional.empty());
    }

    @Override
    public void show(ObjectNode answer, Map<String, String> entries) {
        StateShapes.show(model.kind(), answer, entries);
    }

    @Override
    public boolean redacted() {
        return redacted;
    }

    private long lastCovered(Moment at) {
        if (at instanceof Moment.Latest) {
            return conversation.getLastSequence();
        }
        return replay(known("at", at)).last().map(Setter::sequence).orElse(-1L);
    }

    private Replay.Stand replay(Moment moment) {
        return whole(Replay.at(model, moment, this::records, budget::retain));
    }

    /** What was read, if the chain was there from its beginning; a fold of a part would be another state. Asked afterwards: it may have been pruned meanwhile. */
    private <T> T whole(T read) {
        views.beginning(conversation.getChain()).ifPresent(beginning -> {
            throw Problem.messagesPruned(beginning);
        });
        return read;
    }

    private Moment known(String parameter, Moment moment) {
        if (moment instanceof Moment.AtCheckpoint) {
            throw Parameters.invalid(
                    parameter, "is a checkpoint, and only CSP has those; a sequence: is what others have");
        }
        if (moment instanceof Moment.AtTurn && conversation.getProtocol() != Protocol.SLIP) {
            throw Parameters.invalid(parameter, "is a turn, and only SLIP has those; a sequence: is what others have");
        }
        return moment;
    }

    private static long before(String cursor) {
        try {
            return Long.parseLong(cursor) - 1;
        } catch (NumberFormatException e) {
            throw new InvalidCursor("it was not made by this API");
        }
    }

    private static ObjectNode by(Setter setter) {
        ObjectNode by = Json.object().put("sequence", setter.sequence()).put("sender", setter.sender());
        by.set("source", Json.of(setter.source()));
        return by;
    }

    /** What the caller may see of the chain, up to where it ended when the request came; read page by page. */
    private Iterator<AuditRecord> records() {
        return new Iterator<>() {
            private List<AuditRecord> page = List.of();
            private int at;
            private long from;
            private AuditRecord next;

            @Override
            public boolean hasNext() {
                if (next == null) {
                    next = advance();
                }
                return next != null;
            }

            @Override
            public AuditRecord next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                AuditRecord record = next;
                next = null;
                return record;
            }

            private AuditRecord advance() {
                while (from <= conversation.getLastSequence()) {
                    if (at == page.size()) {
                        page = views.messages(conversation.getChain(), from, PAGE);
                        at = 0;
                        if (page.isEmpty()) {
                            return null;
                        }
                    }
                    AuditRecord record = page.get(at++);
                    from = record.getSequence() + 1;
                    if (record.getRedacted() == null && !redaction.hides(record)) {
                        return record;
                    }
                    redacted = true;
                }
                return null;
            }
        };
    }
}
