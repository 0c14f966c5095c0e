package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.state.Nullable;

/**
 * An input record, and the position of its audit record.
 *
 * @param judged the verdict, whose keys are keys of this object
 * @param redacted whether the message was redacted
 */
public record InputRecord(
        String topic,
        int partition,
        long offset,
        String chain,
        long sequence,
        @JsonUnwrapped VerdictDetail judged,
        @Nullable String gloss,
        boolean redacted,
        Links links) {

    /** Paths of the conversation, and of its messages from this one on. */
    public record Links(String conversation, String messages) {}
}
