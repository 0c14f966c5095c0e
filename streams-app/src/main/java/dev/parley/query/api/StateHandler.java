package dev.parley.query.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.checkpoint.StateDiff;
import dev.parley.decode.ConversationKey;
import dev.parley.json.StateJson;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.Protocols;
import dev.parley.query.http.ProblemHandler;
import dev.parley.query.http.ResponseBudget;
import dev.parley.query.read.MaskingPolicy;
import dev.parley.state.Moment;
import dev.parley.state.StateAnswer;
import dev.parley.state.StateQueries;
import dev.parley.state.StateQueryException;
import dev.parley.state.StateSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** Answers requests about states and checkpoints with {@link StateQueries}. */
final class StateHandler {
    private static final String LATEST = "latest";

    private final StateSource views;
    private final MaskingPolicy maskingPolicy;
    private final Glosses glosses;

    StateHandler(StateSource views, MaskingPolicy maskingPolicy, Glosses glosses) {
        this.views = views;
        this.maskingPolicy = maskingPolicy;
        this.glosses = glosses;
    }

    ObjectNode state(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "at");
        ConversationKey conversation = conversation(request);
        Moment at = moment(parameters, "at", conversation);
        return answer(request, (queries, budget) -> {
            StateAnswer.State state = queries.state(conversation, at);
            budget.require(size(state.entries()));
            return budget.whole(StateJson.of(state));
        });
    }

    ObjectNode blame(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "at", "entry", "limit", "cursor");
        ConversationKey conversation = conversation(request);
        Moment at = moment(parameters, "at", conversation);
        Optional<String> entry = parameters.text("entry");
        int limit = parameters.limit();
        return answer(
                request,
                (queries, budget) -> StateJson.of(queries.blame(conversation, at, entry, parameters.cursor(), limit)));
    }

    ObjectNode diff(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "from", "to");
        parameters.required("from", "a moment, for example sequence:3");
        ConversationKey conversation = conversation(request);
        Moment from = moment(parameters, "from", conversation);
        Moment to = moment(parameters, "to", conversation);
        return answer(request, (queries, budget) -> {
            StateAnswer.Difference difference = queries.diff(conversation, from, to);
            budget.require(size(difference.diff()));
            return budget.whole(StateJson.of(difference));
        });
    }

    ObjectNode history(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "entry", "at", "limit", "cursor");
        String entry = parameters.required("entry", "the name of an entry of the state");
        ConversationKey conversation = conversation(request);
        Moment at = moment(parameters, "at", conversation);
        int limit = parameters.limit();
        return answer(
                request,
                (queries, budget) ->
                        StateJson.of(queries.history(conversation, entry, at, parameters.cursor(), limit)));
    }

    ObjectNode checkpoints(ViewRequest request) {
        Parameters parameters = Parameters.of(request, "limit", "cursor");
        ConversationKey conversation = conversation(request);
        int limit = parameters.limit();
        return answer(
                request, (queries, budget) -> StateJson.of(queries.tree(conversation, parameters.cursor(), limit)));
    }

    ObjectNode checkpoint(ViewRequest request) {
        Parameters.of(request);
        ConversationKey conversation = conversation(request);
        return answer(
                request,
                (queries, budget) ->
                        budget.whole(StateJson.of(queries.checkpoint(conversation, request.pathParam("id")))));
    }

    private ObjectNode answer(ViewRequest request, BiFunction<StateQueries, ResponseBudget, ObjectNode> answer) {
        ResponseBudget budget = request.budget();
        MaskingPolicy hidden = request.caller().role().seesPrivateMessages() ? MaskingPolicy.NONE : maskingPolicy;
        try {
            return answer.apply(
                    new StateQueries(views, Protocols.STANDARD::stateModel, hidden::hides, budget, glosses::gloss),
                    budget);
        } catch (StateQueryException e) {
            throw ProblemHandler.of(e);
        }
    }

    private static ConversationKey conversation(ViewRequest request) {
        return ConversationKey.ofView(
                request.pathParam("namespace"), Parameters.protocol(request), request.pathParam("conversation"));
    }

    private static Moment moment(Parameters parameters, String name, ConversationKey conversation) {
        try {
            return Moment.parse(parameters.text(name).orElse(LATEST), conversation.symbol());
        } catch (IllegalArgumentException e) {
            throw Parameters.invalid(name, e.getMessage());
        }
    }

    /** Bytes of the names and values of a state as JSON. */
    private static long size(Map<String, String> entries) {
        long size = 0;
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            size += ResponseBudget.text(entry.getKey()) + ResponseBudget.text(entry.getValue());
        }
        return size;
    }

    /** Bytes of the names and values of a difference as JSON. */
    private static long size(StateDiff diff) {
        long size = size(diff.added()) + size(diff.removed());
        for (Map.Entry<String, StateDiff.Change> entry : diff.changed().entrySet()) {
            size += ResponseBudget.text(entry.getKey())
                    + ResponseBudget.text(entry.getValue().before())
                    + ResponseBudget.text(entry.getValue().after());
        }
        return size;
    }
}
