package dev.parley.dialogue;

import org.apache.avro.specific.SpecificRecord;

/**
 * Dialogue state of a conversation.
 *
 * @param state state in the form of its protocol; null if there is none
 * @param closedIncomplete whether the idle time closed an incomplete dialogue, and no message came since
 */
public record Dialogue(SpecificRecord state, boolean closedIncomplete) {
    public static final Dialogue NONE = new Dialogue(null, false);
}
