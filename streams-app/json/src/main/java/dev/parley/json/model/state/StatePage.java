package dev.parley.json.model.state;

import dev.parley.json.Nullable;
import java.util.List;

/**
 * A page of the entries of a state.
 *
 * @param total number of entries in the state
 */
public record StatePage(
        String namespace,
        String protocol,
        String conversation,
        String kind,
        String at,
        @Nullable AsOf asOf,
        boolean redacted,
        long total,
        List<Entry> items,
        @Nullable String next)
        implements StateResult {

    /** An entry of a state. */
    public record Entry(String entry, String value) {}
}
