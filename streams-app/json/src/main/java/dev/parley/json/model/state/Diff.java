package dev.parley.json.model.state;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.checkpoint.StateDiff;
import dev.parley.decode.ConversationKey;
import dev.parley.state.Nullable;
import dev.parley.state.StateAnswer;
import dev.parley.state.StatePoint;
import java.util.List;
import java.util.SortedMap;

/** The differences between two states of a conversation. */
public record Diff(
        String namespace,
        String protocol,
        String conversation,
        String kind,
        String from,
        String to,
        @Nullable StatePoint fromAsOf,
        @Nullable StatePoint toAsOf,
        List<StatePage.Entry> added,
        List<Changed> changed,
        List<StatePage.Entry> removed,
        boolean redacted)
        implements DiffResult {

    /** An entry with different values. */
    public record Changed(
            String entry,
            @JsonProperty("old") String before,
            @JsonProperty("new") String after) {}

    /** The whole difference. */
    public static Diff of(StateAnswer.Difference difference) {
        ConversationKey conversation = difference.conversation();
        StateDiff diff = difference.diff();
        return new Diff(
                conversation.namespace(),
                conversation.symbol().name(),
                conversation.nameInViews(),
                difference.kind().name(),
                difference.from().toString(),
                difference.to().toString(),
                difference.fromAsOf(),
                difference.toAsOf(),
                entries(diff.added()),
                diff.changed().entrySet().stream()
                        .map(change -> new Changed(
                                change.getKey(),
                                change.getValue().before(),
                                change.getValue().after()))
                        .toList(),
                entries(diff.removed()),
                difference.redacted());
    }

    private static List<StatePage.Entry> entries(SortedMap<String, String> entries) {
        return entries.entrySet().stream()
                .map(entry -> new StatePage.Entry(entry.getKey(), entry.getValue()))
                .toList();
    }
}
