package dev.parley.dialogue;

import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import java.util.List;

/**
 * The verdict on one message.
 *
 * @param verdict ACCEPTED, REJECTED (mode enforce) or FLAGGED (mode observe)
 * @param stage where it failed: DIALOGUE or PATCH; NONE when accepted
 * @param code the violation; null when accepted
 * @param warnings the decoder's and the judge's warnings, each once, in that order
 * @param rule the rule that decided
 * @param next the state of the conversation after the message, its chain head untouched
 */
public record Judgement(
        Verdict verdict, Stage stage, Code code, List<Code> warnings, Rule rule, ConversationState next) {}
