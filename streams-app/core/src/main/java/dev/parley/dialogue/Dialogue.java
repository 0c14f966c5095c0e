package dev.parley.dialogue;

import org.apache.avro.specific.SpecificRecord;

/**
 * Dialogue state of a conversation.
 *
 * @param state state in the form of its protocol; null if there is none
 * @param closedIncomplete whether the idle time closed an incomplete dialogue, and no message came since
 * @param olderItems tasks or definitions that the state does not contain, because others were active later
 */
public record Dialogue(SpecificRecord state, boolean closedIncomplete, OlderItems olderItems) {
    public static final Dialogue NONE = new Dialogue(null, false);

    /** Creates a dialogue without older items. */
    public Dialogue(SpecificRecord state, boolean closedIncomplete) {
        this(state, closedIncomplete, OlderItems.NONE);
    }
}
