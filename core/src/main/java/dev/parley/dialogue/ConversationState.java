package dev.parley.dialogue;

import java.nio.ByteBuffer;

/**
 * What the pipeline remembers of one conversation. Immutable.
 *
 * @param head where its audit chain ends
 * @param lastActivity time of its last message, milliseconds since the epoch
 * @param dialogue what the rules of its protocol read and write
 */
public record ConversationState(ChainHead head, long lastActivity, Dialogue dialogue) {
    /** A conversation without messages. */
    public static final ConversationState NEW = new ConversationState(ChainHead.EMPTY, 0, Dialogue.NONE);

    /** The state after another audit record, which has this hash. */
    public ConversationState recorded(ByteBuffer hash) {
        return new ConversationState(
                new ChainHead(head.records() + 1, hash, head.redactions()), lastActivity, dialogue);
    }

    /** The state with one more redaction, whose audit record is yet to come. */
    public ConversationState redacted() {
        return new ConversationState(
                new ChainHead(head.records(), head.hash(), head.redactions() + 1), lastActivity, dialogue);
    }

    /**
     * The state with activity at a time, unless there was later activity: a late record does not set the clock back.
     */
    public ConversationState activeAt(long time) {
        return lastActivity >= time ? this : new ConversationState(head, time, dialogue);
    }

    /** The state with another dialogue; this instance if it is the same. */
    @SuppressWarnings("ReferenceEquality")
    ConversationState with(Dialogue other) {
        return other == dialogue ? this : new ConversationState(head, lastActivity, other);
    }
}
