package dev.parley.json.model.state;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.parley.decode.ConversationKey;
import dev.parley.state.Nullable;
import dev.parley.state.StateAnswer;
import dev.parley.state.StatePoint;
import dev.parley.state.StateValue;
import java.util.List;
import java.util.Map;

/**
 * The state of a conversation.
 *
 * @param at the requested point in time, in canonical form
 * @param otherHeads branch heads besides {@code asOf}, at most 16; only of a CSP context at latest
 * @param members the entries in the structure of their protocol, whose keys are keys of this object
 * @param redacted whether redacted messages, or private ones that the caller may not see, were omitted
 */
public record State(
        String namespace,
        String protocol,
        String conversation,
        String kind,
        String at,
        @Nullable StatePoint asOf,
        @JsonInclude(Include.NON_EMPTY) List<String> otherHeads,
        @JsonAnyGetter @JsonAnySetter Map<String, StateValue> members,
        boolean redacted)
        implements StateResult {

    /** Reads a missing list as an empty one. */
    public State {
        otherHeads = otherHeads == null ? List.of() : otherHeads;
    }

    /** The whole state. */
    public static State of(StateAnswer.State state) {
        return of(
                new StateAnswer.Point(state.conversation(), state.kind(), state.at(), state.asOf(), state.redacted()),
                state.otherHeads(),
                state.kind().structure().apply(state.entries()).values());
    }

    /** A state without its entries. */
    public static State of(StateAnswer.Point point) {
        return of(point, List.of(), Map.of());
    }

    private static State of(StateAnswer.Point point, List<String> otherHeads, Map<String, StateValue> members) {
        ConversationKey conversation = point.conversation();
        return new State(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                point.kind().name(),
                point.at().toString(),
                point.asOf(),
                otherHeads,
                members,
                point.redacted());
    }
}
