package dev.parley.json.model.state;

import dev.parley.json.Nullable;
import dev.parley.json.Paged;
import java.util.List;

/** A page of the entries of a state, each with the message that set it. */
public record Blame(
        String namespace,
        String protocol,
        String conversation,
        String kind,
        String at,
        @Nullable AsOf asOf,
        List<Entry> items,
        @Nullable String next,
        boolean redacted)
        implements Paged<Blame.Entry> {

    /** An entry of a state, and the message that set it. */
    public record Entry(String entry, String value, Setter by) {}
}
