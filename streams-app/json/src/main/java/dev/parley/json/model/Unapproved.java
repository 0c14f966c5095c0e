package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.time.Instant;
import java.util.List;

/**
 * A message that changed definitions, and that no approval names.
 *
 * @param time record time of the message, which is when the change was first seen
 * @param server name that the server claims, otherwise the sender of the message
 * @param definitions the changed definitions; empty if they are unknown
 * @param redacted whether the message was redacted
 */
public record Unapproved(
        String chain,
        long sequence,
        Instant time,
        @Nullable String server,
        List<Definition> definitions,
        @Nullable String gloss,
        boolean redacted,
        InputRecord.Links links) {

    /**
     * A definition.
     *
     * @param kind tool, prompt or resource
     * @param name its name, or the URI of a resource
     */
    public record Definition(String kind, String name) {
        @Override
        public String toString() {
            return kind + ' ' + name;
        }
    }
}
