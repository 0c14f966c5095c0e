package dev.parley.dialogue;

import dev.parley.avro.Rule;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Warnings;
import java.util.List;

/**
 * Verdict on one input record.
 *
 * @param verdict the verdict; UNSPECIFIED while the record is a parked patch
 * @param stage the stage that failed; NONE without a failure
 * @param code decode error or violation; null without a failure
 * @param detail sentences about the failure: what would have been accepted; for an accepted message, the likely cause
 *     of a warning; truncated; null without
 * @param allowed acts that the sender could have sent instead, as on the wire; empty without a violation, and if the
 *     acts do not decide
 * @param warnings warnings of the decoder, then of the rules, each once
 * @param rule the rule that decided; null for records that are not messages
 * @param next state of the conversation after the record, with an unchanged chain head; null if the record does not
 *     change it
 */
public record Judgement(
        Verdict verdict,
        Stage stage,
        Code code,
        String detail,
        List<String> allowed,
        List<Code> warnings,
        Rule rule,
        ConversationState next) {
    /** Truncates the detail, which becomes part of records and headers. */
    public Judgement {
        detail = Excerpt.detail(detail);
    }

    /** Creates the judgement on a record that is not a message, and does not change the state of a conversation. */
    public static Judgement failure(Verdict verdict, Stage stage, Code code, String detail) {
        return new Judgement(verdict, stage, code, detail, List.of(), List.of(), null, null);
    }

    /** Returns this judgement after another rule has accepted the message, perhaps with warnings. */
    public Judgement accepted(Rule by, List<Code> added) {
        return new Judgement(
                Verdict.ACCEPTED, Stage.NONE, null, detail, List.of(), Warnings.union(warnings, added), by, next);
    }

    /** Returns this judgement after another rule of a stage has found a violation, perhaps with warnings. */
    public Judgement failed(Verdict failure, Stage at, Code violation, String sentence, Rule by, List<Code> added) {
        return new Judgement(failure, at, violation, sentence, List.of(), Warnings.union(warnings, added), by, next);
    }

    /** Returns this judgement with another sentence in its detail; this one if the sentence is null. */
    public Judgement withRemark(String sentence) {
        return sentence == null
                ? this
                : new Judgement(
                        verdict,
                        stage,
                        code,
                        detail == null ? sentence : detail + ' ' + sentence,
                        allowed,
                        warnings,
                        rule,
                        next);
    }

    /** Returns the judgement on a message that is not applied: rejected in any mode, with the state after it. */
    Judgement unapplied(Rule by, ConversationState after) {
        return new Judgement(Verdict.REJECTED, stage, code, detail, allowed, warnings, by, after);
    }

    /** Returns the judgement on a patch that waits for its base. Its warnings follow with its verdict. */
    public Judgement parked(Rule by) {
        return new Judgement(Verdict.UNSPECIFIED, Stage.NONE, null, null, List.of(), List.of(), by, next);
    }
}
