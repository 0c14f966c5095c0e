package dev.parley.json.model.state;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.json.Nullable;
import java.util.List;

/** The differences between two states of a conversation. */
public record Diff(
        String namespace,
        String protocol,
        String conversation,
        String kind,
        String from,
        String to,
        @Nullable AsOf fromAsOf,
        @Nullable AsOf toAsOf,
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
}
