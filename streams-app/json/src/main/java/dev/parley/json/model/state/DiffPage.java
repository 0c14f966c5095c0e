package dev.parley.json.model.state;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.json.Nullable;
import java.util.List;

/** A page of the differences between two states of a conversation. */
public record DiffPage(
        String namespace,
        String protocol,
        String conversation,
        String kind,
        String from,
        String to,
        @Nullable AsOf fromAsOf,
        @Nullable AsOf toAsOf,
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
}
