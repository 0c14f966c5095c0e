package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.DialogueState;
import dev.parley.codec.Code;
import java.util.List;

/** Judges messages of all four protocols where they stand in their dialogue. Pure and immutable; for any number of threads. */
public final class Judge {
    private final DialogueSettings settings;

    /** A judge with these settings. */
    public Judge(DialogueSettings settings) {
        this.settings = settings;
    }

    /**
     * Judges one message. What has been idle longer than the settings allow, by the message's own timestamp, is closed first. A CSP PATCH
     * that is legal here is accepted only as far as the dialogue goes; whether it applies is for the checkpoints to say.
     *
     * @param state the conversation before the message; a new DialogueState for a new conversation; not changed
     * @param message the message
     * @param warnings what the decoder found
     * @param violations what the decoder found illegal wherever the message stands
     * @param context what the conversation's checkpoints define
     */
    public Judgement judge(
            DialogueState state,
            AgentMessage message,
            List<Code> warnings,
            List<Code> violations,
            ContextView context) {
        throw new IllegalStateException(settings + " awaits its rules");
    }

    /**
     * Closes what has been idle longer than the settings allow.
     *
     * @param state the conversation; not changed
     * @param now milliseconds since the epoch, in record time
     * @return the same instance when nothing was idle that long
     */
    public DialogueState expire(DialogueState state, long now) {
        throw new IllegalStateException(settings + " awaits its rules");
    }
}
