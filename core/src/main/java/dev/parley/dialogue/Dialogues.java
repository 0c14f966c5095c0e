package dev.parley.dialogue;

import dev.parley.avro.CspDialogue;
import dev.parley.avro.DialogueState;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SubitDialogue;

/** Puts another dialogue into a conversation's state. */
final class Dialogues {
    private Dialogues() {}

    /** The state with these dialogues; everything else as it was. */
    static DialogueState with(
            DialogueState state, SlipDialogue slip, SubitDialogue subit, CspDialogue csp, LambdaDialogue lambda) {
        return new DialogueState(
                state.getSequence(),
                state.getHead(),
                state.getLastActivity(),
                state.getClosedIncomplete(),
                slip,
                subit,
                csp,
                lambda,
                state.getRedactions());
    }
}
