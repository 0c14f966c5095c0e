package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.DialogueState;

/** The rules of one protocol's dialogues. Pure: the answer depends on the arguments alone, and no argument is changed. */
interface ProtocolRules {

    /**
     * Judges one message.
     *
     * @param state the conversation before the message; for a new conversation a state without the protocol's part
     * @param message the message
     * @param context what the conversation's checkpoints define; empty for protocols without checkpoints
     */
    Ruling judge(DialogueState state, AgentMessage message, ContextView context);

    /**
     * Closes what has been idle too long.
     *
     * @param state the conversation
     * @param deadline milliseconds since the epoch; what was last active before it closes
     * @return the state without it, closedIncomplete set where the page asks for a warning; the same instance when nothing changed
     */
    DialogueState expire(DialogueState state, long deadline);
}
