package dev.parley.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.StateDiff;
import dev.parley.decode.ConversationKey;
import dev.parley.protocol.ProtocolDefinition;
import dev.parley.protocol.Protocols;
import dev.parley.query.StateReader.Stand;
import dev.parley.query.StateReader.Steps;
import dev.parley.state.Moment;
import dev.parley.state.StateModel;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Answers about the states of conversations as of any moment, in one form for all protocols: the state, who set each entry, how two states differ, how an
 * entry came about. Moments are texts, see {@link Moment}.
 */
public final class States {
    private final StateViews views;
    private final ResponseBudget budget;
    private final Protocols protocols;

    /** Answers out of these views, whatever their size. */
    public States(StateViews views) {
        this(views, Protocols.STANDARD);
    }

    /** The same about conversations of some protocols. */
    public States(StateViews views, Protocols protocols) {
        this(views, ResponseBudget.unlimited(), protocols);
    }

    /** Answers that fit into a response. */
    States(StateViews views, ResponseBudget budget) {
        this(views, budget, Protocols.STANDARD);
    }

    private States(StateViews views, ResponseBudget budget, Protocols protocols) {
        this.views = views;
        this.budget = budget;
        this.protocols = protocols;
    }

    /**
     * Which conversation, and what is not shown of it.
     *
     * @param namespace agent system
     * @param protocol its protocol
     * @param conversation its name
     * @param redaction what the caller may not see
     */
    public record Talk(String namespace, Protocol protocol, String conversation, Redaction redaction) {}

    /** The state as of a moment, in the shape of its kind. */
    public ObjectNode state(Talk talk, String at) {
        StateReader reader = reader(talk);
        Stand stand = reader.at("at", moment("at", at));
        ObjectNode answer = head(talk, reader).put("at", at);
        answer.set("asOf", stand.asOf().orElse(null));
        budget.require(StateShapes.size(stand.entries()));
        reader.show(answer, stand.entries());
        return budget.whole(answer.put("redacted", reader.redacted()));
    }

    /**
     * The entries of the state as of a moment, each with the message that set it, by name.
     *
     * @param entry the only one that is asked for; empty for all
     * @param cursor where an earlier page ended
     * @param limit most entries
     */
    public ObjectNode blame(Talk talk, String at, Optional<String> entry, Optional<String> cursor, int limit) {
        StateReader reader = reader(talk);
        Stand stand = reader.at("at", moment("at", at));
        ObjectNode answer = head(talk, reader).put("at", at);
        answer.set("asOf", stand.asOf().orElse(null));
        ItemList items = new ItemList(answer.putArray("items"), budget);
        SortedMap<String, String> rest = stand.entries();
        if (entry.isPresent()) {
            rest = rest.containsKey(entry.get())
                    ? rest.subMap(entry.get(), entry.get() + '\0')
                    : rest.headMap(rest.isEmpty() ? "" : rest.firstKey());
        }
        if (cursor.isPresent()) {
            rest = rest.tailMap(cursor.get() + '\0');
        }
        String next = null;
        String last = null;
        for (Map.Entry<String, String> found : rest.entrySet()) {
            ObjectNode item = Json.object().put("entry", found.getKey()).put("value", found.getValue());
            item.set("by", stand.by().apply(found.getKey()));
            if (items.size() == limit || !items.add(item)) {
                next = last;
                break;
            }
            last = found.getKey();
        }
        return answer.put("next", next).put("redacted", reader.redacted());
    }

    /** How the state as of one moment differs from that as of another, wherever they stand. */
    public ObjectNode diff(Talk talk, String from, String to) {
        StateReader reader = reader(talk);
        Stand before = reader.at("from", moment("from", from));
        Stand after = reader.at("to", moment("to", to));
        StateDiff diff = StateDiff.between(before.entries(), after.entries());
        budget.require(StateShapes.size(diff));
        ObjectNode answer = head(talk, reader).put("from", from).put("to", to);
        answer.set("fromAsOf", before.asOf().orElse(null));
        answer.set("toAsOf", after.asOf().orElse(null));
        ArrayNode added = answer.putArray("added");
        diff.added()
                .forEach((name, value) -> added.addObject().put("entry", name).put("value", value));
        ArrayNode changed = answer.putArray("changed");
        diff.changed()
                .forEach((name, change) -> changed.addObject()
                        .put("entry", name)
                        .put("old", change.before())
                        .put("new", change.after()));
        ArrayNode removed = answer.putArray("removed");
        diff.removed()
                .forEach((name, value) -> removed.addObject().put("entry", name).put("value", value));
        return budget.whole(answer.put("redacted", reader.redacted()));
    }

    /**
     * How one entry came to be what it was as of a moment: every change and who made it, the latest first.
     *
     * @param cursor where an earlier page ended
     * @param limit most changes
     */
    public ObjectNode history(Talk talk, String entry, String at, Optional<String> cursor, int limit) {
        StateReader reader = reader(talk);
        ObjectNode answer = head(talk, reader).put("entry", entry).put("at", at);
        ItemList items = new ItemList(answer.putArray("items"), budget);
        Steps steps = reader.history(entry, moment("at", at), cursor, limit, step -> {
            ObjectNode item = Json.object().put("value", step.value().orElse(null));
            item.set("by", step.by());
            return items.add(item);
        });
        answer.put("next", steps.next().orElse(null));
        answer.set("pruned", steps.pruned().orElse(null));
        return answer.put("redacted", reader.redacted());
    }

    /** A page of the checkpoints of a CSP context in the order of application, and all that no other was made from. */
    public ObjectNode tree(String namespace, String context, Optional<String> cursor, int limit) {
        Place place = new Place(views, namespace, context);
        if (!place.known()) {
            throw Problem.of(
                    Problem.Code.UNKNOWN_CONTEXT, "Namespace " + namespace + " has no CSP context " + context + ".");
        }
        return place.tree(cursor, limit, budget);
    }

    private StateReader reader(Talk talk) {
        if (protocols
                .named(talk.protocol().name())
                .filter(ProtocolDefinition::usesCheckpoints)
                .isPresent()) {
            Place place = new Place(views, talk.namespace(), talk.conversation());
            if (place.known()) {
                return new CheckpointStates(views, place, budget);
            }
        }
        return views.conversation(talk.namespace(), talk.protocol(), talk.conversation())
                .flatMap(summary -> folded(summary, talk.redaction()))
                .orElseThrow(() -> Problem.of(
                        Problem.Code.UNKNOWN_CONVERSATION,
                        "Namespace " + talk.namespace() + " has no " + talk.protocol() + " conversation "
                                + talk.conversation() + "."));
    }

    private Optional<StateReader> folded(ConversationSummary conversation, Redaction redaction) {
        return protocols
                .named(ConversationKey.parse(conversation.getChain()).protocol())
                .filter(protocol -> protocol.state() instanceof StateModel.Folded)
                .map(protocol -> (StateModel.Folded) protocol.state())
                .map(model -> new FoldedStates(views, conversation, model, redaction, budget));
    }

    private static ObjectNode head(Talk talk, StateReader reader) {
        return Json.object()
                .put("namespace", talk.namespace())
                .put("protocol", talk.protocol().name())
                .put("conversation", talk.conversation())
                .put("kind", reader.kind());
    }

    private static Moment moment(String parameter, String text) {
        try {
            return Moment.parse(text);
        } catch (IllegalArgumentException e) {
            throw Parameters.invalid(parameter, e.getMessage());
        }
    }
}
