package dev.parley.dialogue;

import dev.parley.codec.Code;
import java.util.List;

/**
 * Result of the rules of one protocol for one message.
 *
 * @param <D> the dialogue state of the protocol
 * @param violation why the message is illegal here; null if it is legal
 * @param warnings what the rules found worth knowing, each once, in the order found; also beside a violation
 * @param rule the rule that decided
 * @param next the dialogue after the message; null if there is none. After a violation only that moves which the
 *     protocol moves all the same (SLIP's turn). The instance that was passed in if nothing changed
 */
public record RuleResult<D>(Code violation, List<Code> warnings, Rule rule, D next) {}
