package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.DialogueState;
import java.util.List;

/** One conversation and its judge: says messages, and remembers the state between them as the pipeline does. */
final class Conversation {
    final Judge judge;
    DialogueState state = DialogueMessages.fresh();

    Conversation(DialogueSettings settings) {
        judge = new Judge(settings);
    }

    static Conversation withDefaults() {
        return new Conversation(DialogueSettings.DEFAULT);
    }

    Judgement say(AgentMessage message) {
        Judgement judgement = judge.judge(state, message, List.of(), List.of(), ContextView.EMPTY);
        state = judgement.next();
        return judgement;
    }
}
