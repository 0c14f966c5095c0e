package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.codec.Code;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * Dialogue rules of one protocol. Pure: the result depends only on the arguments, and no argument changes. Thread-safe.
 *
 * @param <D> dialogue state of the protocol
 */
public interface ProtocolRules<D extends SpecificRecord> {

    /**
     * Judges one message.
     *
     * @param before the dialogue before the message; null if there is none
     * @param context other inputs of the rules
     */
    RuleResult<D> judge(D before, AgentMessage message, RuleContext context);

    /**
     * Returns the dialogue after a message that is illegal in every state. The default is for protocols in which such a
     * message changes nothing.
     *
     * @param before the dialogue before the message; null if there is none
     * @return a result of which the dialogue, the older items and the warnings count; null if nothing changes
     */
    default RuleResult<D> afterInvalid(D before, AgentMessage message, RuleContext context) {
        return null;
    }

    /**
     * Explains a violation: what would have been accepted instead. Called only for illegal messages.
     *
     * @param before the dialogue before the message; null if there is none
     * @param context the inputs with which the message was judged
     * @param violation a violation of the rules or of the decoder
     */
    Explanation explain(D before, AgentMessage message, RuleContext context, Code violation);

    /**
     * Names the likely cause of a legal message's warnings, if the message shows it. The default is for protocols
     * without such warnings.
     *
     * @param before the dialogue before the message; null if there is none
     * @param context the inputs with which the message was judged
     * @param warnings warnings of the rules, not empty
     * @return sentences; null if the codes suffice
     */
    default String remark(D before, AgentMessage message, RuleContext context, List<Code> warnings) {
        return null;
    }

    /**
     * Closes whatever has been idle too long.
     *
     * @param lastActivity time of the last message of the conversation, milliseconds since the epoch
     * @param deadline entries last active before this time close
     * @return the remaining dialogue, null if nothing remains; the same instance if nothing closed
     */
    D expire(D dialogue, long lastActivity, long deadline);

    /** Whether a dialogue that closes in this state is incomplete. The context of the next message reports it. */
    default boolean isIncomplete(D dialogue) {
        return false;
    }

    /**
     * Returns the dialogue within {@link StateBytes}; the same instance if it already is. The default is for protocols
     * whose state cannot exceed them.
     */
    default D bounded(D dialogue) {
        return dialogue;
    }

    /**
     * Returns the dialogue with {@link StoredText#hash hashes} in place of texts from messages. Verdicts on later
     * messages stay the same.
     */
    D withHashes(D dialogue);

    /** Returns older items with hashes, like {@link #withHashes(SpecificRecord)}. The default is for those without. */
    default OlderItems withHashes(OlderItems olderItems) {
        return olderItems;
    }

    /**
     * Returns the documented name of the dialogue state that a message belongs to, for the conformance kit.
     *
     * @param dialogue the dialogue; null if there is none
     * @param olderItems tasks or definitions that the dialogue does not contain
     */
    String positionOf(D dialogue, OlderItems olderItems, AgentMessage message);

    /** Section of docs/protocols.md with the rule for a violation that the decoder found. */
    default String sectionOf(Code violation) {
        return "0";
    }
}
