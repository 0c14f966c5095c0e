package dev.parley.dialogue;

import dev.parley.avro.DialogueState;
import dev.parley.codec.Code;
import java.util.List;

/**
 * What the rules of one protocol say of one message.
 *
 * @param violation why the message is illegal here; null when it is legal
 * @param warnings what the rules found worth knowing, each once, in the order found; also beside a violation
 * @param rule the rule that decided
 * @param next the state after the message. After a violation nothing moves but what the protocol says moves all the same (SLIP's turn); never
 *     the instance that was passed in, unless nothing changed
 */
record Ruling(Code violation, List<Code> warnings, Rule rule, DialogueState next) {}
