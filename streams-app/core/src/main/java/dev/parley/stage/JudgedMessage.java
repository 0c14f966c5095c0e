package dev.parley.stage;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.PatchRule;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.dialogue.ConversationState;
import java.util.List;

/**
 * A message with the result of the rules.
 *
 * @param message the message in its envelope
 * @param next state of the conversation after the message
 * @param warnings codes of the warnings, each once
 * @param rule citation of the rule that decided
 */
public record JudgedMessage(AgentMessage message, ConversationState next, List<Code> warnings, String rule) {

    /** Returns the message after a checkpoint rule decided, with its warnings added. */
    JudgedMessage by(PatchRule patchRule, List<Code> added) {
        return new JudgedMessage(message, next, Warnings.union(warnings, added), patchRule.toString());
    }

    /** Returns the outcome of a legal message that wrote these checkpoints. */
    Outcome accepted(List<Checkpoint> checkpoints) {
        return new Outcome.Accepted(this, checkpoints);
    }

    /**
     * Returns the outcome of an illegal message.
     *
     * @param verdict REJECTED or FLAGGED
     * @param detail a sentence; null if the code suffices
     */
    Outcome failed(Verdict verdict, Stage stage, Code violation, String detail) {
        Outcome.Failure failure = new Outcome.Failure(stage, violation, detail);
        return verdict == Verdict.FLAGGED ? new Outcome.Flagged(this, failure) : new Outcome.Rejected(this, failure);
    }

    /**
     * Returns the outcome of a patch that waits for its base. It has no warnings, because its verdict follows later.
     */
    Outcome parked() {
        return new Outcome.Parked(new JudgedMessage(message, next, List.of(), PatchRule.PARKED.toString()));
    }
}
