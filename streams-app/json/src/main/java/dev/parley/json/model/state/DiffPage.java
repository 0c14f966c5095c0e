package dev.parley.json.model.state;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.checkpoint.StateDiff;
import dev.parley.decode.ConversationKey;
import dev.parley.state.Nullable;
import dev.parley.state.StateAnswer;
import dev.parley.state.StatePoint;
import java.util.List;

/** A page of the differences between two states of a conversation. */
public record DiffPage(
        String namespace,
        String protocol,
        String conversation,
        String kind,
        String from,
        String to,
        @Nullable StatePoint fromAsOf,
        @Nullable StatePoint toAsOf,
        boolean redacted,
        Counts counts,
        List<Change> items,
        @Nullable String next)
        implements DiffResult {

    /** Numbers of all changes. */
    public record Counts(int added, int changed, int removed) {}

    /**
     * A change.
     *
     * @param change ADDED, CHANGED or REMOVED
     */
    public record Change(
            String entry,
            String change,
            @JsonProperty("old") @Nullable String before,
            @JsonProperty("new") @Nullable String after) {}

    /** A page of a difference. */
    public static DiffPage of(StateAnswer.Difference difference, List<Change> items, String next) {
        ConversationKey conversation = difference.conversation();
        StateDiff diff = difference.diff();
        return new DiffPage(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                difference.kind().name(),
                difference.from().toString(),
                difference.to().toString(),
                difference.fromAsOf(),
                difference.toAsOf(),
                difference.redacted(),
                new Counts(
                        diff.added().size(),
                        diff.changed().size(),
                        diff.removed().size()),
                items,
                next);
    }
}
