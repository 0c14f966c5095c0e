package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.state.Nullable;
import java.time.Instant;
import java.util.List;

/**
 * An audit record in a live tail.
 *
 * @param judged the verdict, whose keys are keys of this object
 * @param bytes size of the message; null if it is redacted
 */
public record TailEvent(
        String chain,
        String namespace,
        String protocol,
        String conversation,
        long sequence,
        Instant time,
        @Nullable String sender,
        List<String> to,
        @Nullable String performative,
        @JsonUnwrapped VerdictDetail judged,
        @Nullable Integer bytes,
        @Nullable String gloss) {}
