package dev.parley.dialogue;

import org.apache.avro.specific.SpecificRecord;

/**
 * What a conversation remembers for the rules of its protocol.
 *
 * @param state state in the form of its protocol; null if there is none
 * @param closedIncomplete whether a dialogue was closed by time before it had come to an end, and no message came since
 */
public record Dialogue(SpecificRecord state, boolean closedIncomplete) {
    /** Nothing is remembered. */
    public static final Dialogue NONE = new Dialogue(null, false);
}
