package dev.parley.stage;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Stage;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.codec.Symbols;
import dev.parley.dialogue.ContextView;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.Judgement;
import java.util.List;
import java.util.Objects;

/**
 * Follows the dialogue states of conversations through their audit records: judges each recorded message again. Not
 * thread-safe.
 */
public final class DialogueReplay {
    private final Judge judge;
    private final ConversationStore conversations;
    private boolean exact = true;

    /**
     * Creates a replay.
     *
     * @param judge the rules, with the settings that the pipeline used
     */
    public DialogueReplay(Judge judge) {
        this(judge, ConversationStore.inMemory());
    }

    DialogueReplay(Judge judge, ConversationStore conversations) {
        this.judge = judge;
        this.conversations = conversations;
    }

    /** Returns the state of a conversation after the records so far. */
    public ConversationState state(String chain) {
        ConversationState state = conversations.get(chain);
        return state == null ? ConversationState.NEW : state;
    }

    /** Returns whether each message so far was judged again, with the code of its record. */
    public boolean isExact() {
        return exact;
    }

    /**
     * Adds the next record of its conversation. The dialogue state of a conversation ignores records without message.
     */
    public void add(AuditRecord record) {
        ConversationState state = state(record.getChain());
        AgentMessage message = record.getMessage();
        if (record.getRedaction() != null) {
            state = RedactStage.after(judge, state, record.getRedaction());
        } else if (Judge.isUnapplied(record)) {
            state = judge.unapplied(state, record.getSource());
        } else if (message == null || !judge.knows(message)) {
            exact = false;
        } else {
            Judgement again = judge.judge(state, message, List.of(), judge.shownByMessage(record), ContextView.NONE);
            // The checkpoints decide about a patch that the rules accept.
            exact &= Checkpoints.isPatch(message) && Symbols.STAGE.of(record.getStage()) == Stage.APPLY
                    || Objects.equals(again.code() == null ? null : again.code().name(), record.getCode());
            state = again.next();
        }
        conversations.put(record.getChain(), state.recorded(record.getHash()));
    }
}
