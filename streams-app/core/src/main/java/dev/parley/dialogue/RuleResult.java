package dev.parley.dialogue;

import dev.parley.avro.Rule;
import dev.parley.codec.Code;
import java.util.List;

/**
 * Result of the rules of one protocol for one message.
 *
 * @param <D> dialogue state of the protocol
 * @param violation why the message is illegal; null if it is legal
 * @param warnings warnings of the rules, each once, in the order found; present even with a violation
 * @param rule the rule that decided
 * @param next the dialogue after the message, null if there is none; the same instance if nothing changed. A violation
 *     changes only what the protocol changes for illegal messages too (the turn of SLIP)
 * @param olderItems the older items after the message; null if they did not change
 */
public record RuleResult<D>(Code violation, List<Code> warnings, Rule rule, D next, OlderItems olderItems) {

    /** Creates a result that does not change older items. */
    public RuleResult(Code violation, List<Code> warnings, Rule rule, D next) {
        this(violation, warnings, rule, next, null);
    }
}
