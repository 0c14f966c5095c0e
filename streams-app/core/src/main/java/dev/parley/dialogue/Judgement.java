package dev.parley.dialogue;

import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import java.util.List;

/**
 * Verdict on one message.
 *
 * @param verdict ACCEPTED, REJECTED (mode enforce), or FLAGGED (mode observe)
 * @param stage DIALOGUE or PATCH for an illegal message; NONE if accepted
 * @param code the violation; null if accepted
 * @param warnings warnings of the decoder, then of the rules, each once
 * @param rule the rule that decided
 * @param next state of the conversation after the message, with an unchanged chain head
 */
public record Judgement(
        Verdict verdict, Stage stage, Code code, List<Code> warnings, Rule rule, ConversationState next) {}
