package dev.parley.json.model.state;

import dev.parley.json.Nullable;
import dev.parley.json.Paged;
import java.time.Instant;
import java.util.List;

/**
 * A page of the changes of an entry, latest first.
 *
 * @param pruned the end of the known history; null if it is complete
 */
public record History(
        String namespace,
        String protocol,
        String conversation,
        String kind,
        String entry,
        String at,
        List<Change> items,
        @Nullable String next,
        @Nullable Pruned pruned,
        boolean redacted)
        implements Paged<History.Change> {

    /**
     * A change of an entry.
     *
     * @param value the new value; null if the entry was removed
     */
    public record Change(
            @Nullable String value, Setter by, @Nullable String gloss) {}

    /** The first pruned checkpoint on the path to the root. */
    public record Pruned(String checkpoint, Instant at) {}
}
