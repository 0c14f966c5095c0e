package dev.parley.dialogue.lambda;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.dialogue.DialogueSettings;
import java.util.List;

/**
 * Follows the accepted messages of a Λ conversation as the machine does, and tells which offers were agreed to: in
 * OFF_PEND an agreement or a bare acknowledgement accepts the offer of the other side that it names, else the latest
 * (PROTOCOLS 4.3); and an agreement accepts the offer that had to be clarified first. For one conversation and one
 * thread.
 */
public final class LambdaAgreements {
    private static final LambdaDialogue NEW =
            new LambdaDialogue(LambdaState.IDLE, List.of(), false, null, 0, List.of());

    private LambdaDialogue dialogue = NEW;
    private LambdaPending clarified;

    /** The machine before the first message. */
    public LambdaAgreements() {}

    /**
     * Takes the next message that was accepted.
     *
     * @return who made the offers that it agrees to, in order; null stands for a sender whom nobody knows
     */
    public List<String> accept(AgentMessage message) {
        LambdaTurn turn = new LambdaTurn(dialogue, message, DialogueSettings.DEFAULT.maxEntries(), 0, clarified);
        if (turn.violation() != null) {
            // It was accepted all the same: the conversation had been idle, and began anew.
            turn = new LambdaTurn(NEW, message, DialogueSettings.DEFAULT.maxEntries(), 0);
        }
        if (turn.violation() != null) {
            return List.of();
        }
        dialogue = turn.after();
        clarified = turn.clarified();
        return turn.agreed();
    }
}
