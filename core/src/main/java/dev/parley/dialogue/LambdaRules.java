package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.DialogueState;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaState;
import java.util.List;

/** The rules of Λ dialogues (Λ v0.6 §2, §3, §6; PROTOCOLS 4.3). */
final class LambdaRules implements ProtocolRules {
    private final DialogueSettings settings;

    LambdaRules(DialogueSettings settings) {
        this.settings = settings;
    }

    @Override
    public Ruling judge(DialogueState state, AgentMessage message, ContextView context) {
        LambdaDialogue before = state.getLambda() == null ? idle(List.of()) : state.getLambda();
        LambdaTurn turn = new LambdaTurn(before, message, settings.maxEntries(), state.getSequence());
        DialogueState next = turn.violation() == null && turn.moved() ? withLambda(state, turn.after()) : state;
        return new Ruling(turn.violation(), turn.warnings(), turn.rule(), next);
    }

    /**
     * A conversation that was idle as a whole starts again from IDLE: nothing pending, floor free, no errors. Its definitions stay: they hold
     * for the conversation, which goes on under the same name.
     */
    @Override
    public DialogueState expire(DialogueState state, long deadline) {
        LambdaDialogue before = state.getLambda();
        if (before == null || state.getLastActivity() >= deadline || atRest(before)) {
            return state;
        }
        return withLambda(state, idle(before.getDefinitions()));
    }

    /** Whether there is nothing to expire; while the state is IDLE nothing is pending. */
    private static boolean atRest(LambdaDialogue dialogue) {
        return dialogue.getState() == LambdaState.IDLE && !dialogue.getFloorHeld() && dialogue.getErrors() == 0;
    }

    private static LambdaDialogue idle(List<LambdaDefined> definitions) {
        return new LambdaDialogue(LambdaState.IDLE, List.of(), false, null, 0, definitions);
    }

    private static DialogueState withLambda(DialogueState state, LambdaDialogue lambda) {
        return Dialogues.with(state, state.getSlip(), state.getSubit(), state.getCsp(), lambda);
    }
}
