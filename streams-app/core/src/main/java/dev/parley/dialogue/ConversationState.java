package dev.parley.dialogue;

import java.nio.ByteBuffer;

/**
 * Stored state of one conversation. Immutable.
 *
 * @param head end of its audit chain
 * @param lastActivity time of its last message, milliseconds since the epoch
 * @param dialogue dialogue state under the rules of its protocol
 */
public record ConversationState(ChainHead head, long lastActivity, Dialogue dialogue) {
    /** A conversation without messages. */
    public static final ConversationState NEW = new ConversationState(ChainHead.EMPTY, 0, Dialogue.NONE);

    /** Returns the state after another audit record with this hash. */
    public ConversationState recorded(ByteBuffer hash) {
        return new ConversationState(
                new ChainHead(head.records() + 1, hash, head.redactions()), lastActivity, dialogue);
    }

    /** Returns the state with one more redaction or approval, whose audit record follows. */
    public ConversationState redacted() {
        return new ConversationState(
                new ChainHead(head.records(), head.hash(), head.redactions() + 1), lastActivity, dialogue);
    }

    /** Returns the state with activity at a time. A late record does not set the clock back. */
    public ConversationState activeAt(long time) {
        return lastActivity >= time ? this : new ConversationState(head, time, dialogue);
    }

    /** Returns the state after the changes of its older items are stored. */
    @SuppressWarnings("ReferenceEquality")
    public ConversationState stored(OlderItems.Source source) {
        OlderItems older = dialogue.olderItems();
        return with(
                older == OlderItems.NONE
                        ? dialogue
                        : new Dialogue(
                                dialogue.state(),
                                dialogue.closedIncomplete(),
                                OlderItems.of(older.count(), older.bytes(), source)));
    }

    /** Returns the state with another dialogue; this instance if the dialogue is the same. */
    @SuppressWarnings("ReferenceEquality")
    ConversationState with(Dialogue other) {
        return other == dialogue ? this : new ConversationState(head, lastActivity, other);
    }
}
