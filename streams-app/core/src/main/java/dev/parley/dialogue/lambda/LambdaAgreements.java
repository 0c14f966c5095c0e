package dev.parley.dialogue.lambda;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.StoredText;
import java.util.List;

/**
 * Follows the accepted messages of a Λ conversation and determines the accepted offers. In OFF_PEND, an agreement or a
 * bare acknowledgement accepts the offer of the other side that it names, otherwise the latest (docs/protocols.md 4.3).
 * An agreement also accepts the offer that was under clarification. For one conversation; not thread-safe.
 */
public final class LambdaAgreements {
    private static final LambdaDialogue NEW =
            new LambdaDialogue(LambdaState.IDLE, List.of(), false, null, 0, List.of());

    private final int maxEntries;
    private LambdaDialogue dialogue = NEW;
    private LambdaPending clarified;

    /**
     * Creates the state before the first message.
     *
     * @param settings settings with which the messages were judged
     */
    public LambdaAgreements(DialogueSettings settings) {
        maxEntries = settings.maxEntries();
    }

    /**
     * Adds the next accepted message.
     *
     * @return senders of the offers that it accepts, in order and in their {@link StoredText#bounded stored form}; null
     *     for an unknown sender
     */
    public List<String> accept(AgentMessage message) {
        LambdaTurn turn = new LambdaTurn(dialogue, message, maxEntries, null, clarified);
        if (turn.violation() != null) {
            // Accepted nevertheless: the conversation had been idle, and restarted.
            turn = new LambdaTurn(NEW, message, maxEntries, null, null);
        }
        if (turn.violation() != null) {
            return List.of();
        }
        dialogue = turn.after();
        clarified = turn.clarified();
        return turn.agreed();
    }
}
