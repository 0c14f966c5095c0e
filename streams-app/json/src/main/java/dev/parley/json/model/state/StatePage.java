package dev.parley.json.model.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.parley.decode.ConversationKey;
import dev.parley.state.Nullable;
import dev.parley.state.StateAnswer;
import dev.parley.state.StatePoint;
import java.util.List;

/**
 * A page of the entries of a state.
 *
 * @param otherHeads as in {@link State}
 * @param total number of entries in the state
 */
public record StatePage(
        String namespace,
        String protocol,
        String conversation,
        String kind,
        String at,
        @Nullable StatePoint asOf,
        @JsonInclude(Include.NON_EMPTY) List<String> otherHeads,
        boolean redacted,
        long total,
        List<Entry> items,
        @Nullable String next)
        implements StateResult {

    /** An entry of a state. */
    public record Entry(String entry, String value) {}

    /** A page of a state. */
    public static StatePage of(StateAnswer.State state, List<Entry> items, String next) {
        ConversationKey conversation = state.conversation();
        return new StatePage(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                state.kind().name(),
                state.at().toString(),
                state.asOf(),
                state.otherHeads(),
                state.redacted(),
                state.entries().size(),
                items,
                next);
    }
}
