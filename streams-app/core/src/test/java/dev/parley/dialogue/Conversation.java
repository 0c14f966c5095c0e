package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.protocol.Protocols;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** One conversation and its judge: says messages, and remembers the state between them as the pipeline does. */
final class Conversation {
    final Judge judge;
    ConversationState state = ConversationState.NEW;

    Conversation(DialogueSettings settings) {
        judge = Protocols.STANDARD.judge(settings);
    }

    static Conversation withDefaults() {
        return new Conversation(DialogueSettings.DEFAULT);
    }

    Judgement say(AgentMessage message) {
        Judgement judgement = judge.judge(state, message, List.of(), List.of(), DialogueMessages.NO_CHECKPOINTS);
        state = judgement.next();
        return judgement;
    }

    /** The dialogue as it stands now. */
    <D extends SpecificRecord> D dialogue(Class<D> type) {
        return type.cast(state.dialogue().state());
    }
}
