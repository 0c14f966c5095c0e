package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.time.Instant;

/**
 * A conversation; or one that undecodable records of one input partition claim, with the counts, times and sequences of
 * these records in the chain of that partition.
 *
 * @param conversation null if the records claim none
 * @param claimed whether undecodable records only claim it, so that nothing about it is proven
 * @param firstSequence first sequence that the views have
 * @param lastHash hash of the chain head; null for a claimed conversation
 * @param lastCode code of the last message; null if accepted
 */
public record Conversation(
        String namespace,
        String protocol,
        @Nullable String conversation,
        boolean claimed,
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
        @Nullable String lastHash,
        String lastVerdict,
        @Nullable String lastCode,
        Links links) {

    /** Paths of the conversation, or the chain of the claiming records; and of its messages. */
    public record Links(String self, String messages) {}

    /** The number of conversations that match a filter. */
    public record Total(long conversations) {}
}
