package dev.parley.json.model;

import dev.parley.json.Nullable;
import java.time.Instant;

/**
 * A conversation.
 *
 * @param firstSequence first sequence that the views have
 * @param lastHash hash of the chain head
 * @param lastCode code of the last message; null if accepted
 */
public record Conversation(
        String namespace,
        String protocol,
        String conversation,
        String chain,
        Instant firstTime,
        Instant lastTime,
        long messages,
        long accepted,
        long rejected,
        long flagged,
        long undecodable,
        long firstSequence,
        long lastSequence,
        String lastHash,
        String lastVerdict,
        @Nullable String lastCode,
        Links links) {

    /** Paths of the conversation and its messages. */
    public record Links(String self, String messages) {}
}
