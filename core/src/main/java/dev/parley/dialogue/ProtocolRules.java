package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.codec.Code;
import org.apache.avro.specific.SpecificRecord;

/**
 * Dialogue rules of one protocol. Pure: the result depends only on the arguments, and no argument is changed. For any
 * number of threads.
 *
 * @param <D> the dialogue state of the protocol
 */
public interface ProtocolRules<D extends SpecificRecord> {

    /**
     * Judges one message.
     *
     * @param before the dialogue before the message; null if there is none
     * @param message the message
     * @param context what else the rules may read
     */
    RuleResult<D> judge(D before, AgentMessage message, RuleContext context);

    /**
     * Closes what has been idle too long.
     *
     * @param dialogue the dialogue
     * @param lastActivity time of the last message of the conversation, milliseconds since the epoch
     * @param deadline what was last active before this time closes
     * @return the dialogue without it, null if nothing remains; the same instance if nothing closed
     */
    D expire(D dialogue, long lastActivity, long deadline);

    /** Whether a dialogue that closes here has not come to an end; the next message's context says so. */
    default boolean isIncomplete(D dialogue) {
        return false;
    }

    /**
     * The dialogue within {@link StateBytes}; the same instance if it is. For a protocol whose state cannot grow beyond
     * them, the default.
     */
    default D bounded(D dialogue) {
        return dialogue;
    }

    /**
     * The dialogue with {@link KeptText#seal hashes} in place of texts from messages: verdicts on later messages are
     * the same.
     */
    D sealed(D dialogue);

    /**
     * Name of the dialogue state that a message belongs to, as documented, for the conformance kit.
     *
     * @param dialogue the dialogue; null if there is none
     */
    String positionOf(D dialogue, AgentMessage message);

    /** Section of the documentation that has the rule for a violation that the message itself shows. */
    default String sectionOf(Code violation) {
        return "5";
    }
}
