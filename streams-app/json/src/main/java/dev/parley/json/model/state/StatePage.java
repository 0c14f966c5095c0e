package dev.parley.json.model.state;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.parley.json.Nullable;
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
        @Nullable AsOf asOf,
        @JsonInclude(Include.NON_EMPTY) List<String> otherHeads,
        boolean redacted,
        long total,
        List<Entry> items,
        @Nullable String next)
        implements StateResult {

    /** An entry of a state. */
    public record Entry(String entry, String value) {}
}
