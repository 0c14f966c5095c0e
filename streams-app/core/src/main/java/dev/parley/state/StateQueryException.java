package dev.parley.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.Protocol;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.decode.ConversationKey;
import dev.parley.state.StateSource.Beginning;
import java.time.Instant;

/**
 * Thrown if a query about states has no result. The code is stable; the message is a sentence. It has no stack trace.
 */
public final class StateQueryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Reason for the missing result. */
    public enum Code {
        UNKNOWN_CONVERSATION,
        UNKNOWN_CHECKPOINT,
        CHECKPOINT_PRUNED,
        MESSAGES_PRUNED,
        /** More follows the point in time than a query examines. */
        TOO_FAR_BACK,
        INVALID_CURSOR,
        /** The source does not have a checkpoint yet. */
        INCOMPLETE
    }

    private final Code code;

    private StateQueryException(Code code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    /** Creates the exception for a conversation without records. */
    public static StateQueryException unknown(ConversationKey conversation) {
        return new StateQueryException(
                Code.UNKNOWN_CONVERSATION,
                "Namespace " + conversation.namespace() + " has no " + conversation.protocol() + " conversation "
                        + conversation.conversation() + "." + onWire(conversation));
    }

    /** Names the number that an ID, or a field such as c10, has on the wire of nSLIP; empty if the ID is that. */
    private static String onWire(ConversationKey conversation) {
        String name = conversation.conversation();
        String field = name.length() > 1 && name.startsWith("c") ? name : "c" + name;
        byte[] wire = field.getBytes(UTF_8);
        boolean isSlip = conversation.symbol() == Protocol.SLIP;
        long number = isSlip ? SlipCodec.number(wire, 1, wire.length) : -1;
        return number < 0 || name.equals(String.valueOf(number))
                ? ""
                : " On the wire, " + field + " is conversation " + number + ".";
    }

    static StateQueryException unknownCheckpoint(ConversationKey conversation, String id) {
        return new StateQueryException(
                Code.UNKNOWN_CHECKPOINT,
                "Context " + conversation.conversation() + " of namespace " + conversation.namespace()
                        + " has no checkpoint " + id + ".");
    }

    static StateQueryException noCheckpoints(String protocol) {
        return new StateQueryException(
                Code.UNKNOWN_CHECKPOINT, protocol + " conversations have no checkpoints; only CSP conversations do.");
    }

    static StateQueryException pruned(ConversationKey conversation, String id, Instant time) {
        return new StateQueryException(
                Code.CHECKPOINT_PRUNED,
                "Checkpoint " + id + " of context " + conversation.conversation()
                        + " was superseded longer ago than csp.retention.ms, and pruned at " + time
                        + ". Its place in the tree and its hash remain; its patch remains in the audit topic as long"
                        + " as that keeps it.");
    }

    /** Creates the exception for messages before the first one that the source still has. */
    public static StateQueryException messagesPruned(Beginning beginning) {
        String why = beginning
                .prunedAt()
                .map(time -> "Those before it were pruned at " + time
                        + ", when the conversation had been idle for longer than views.retention.conversations.ms;"
                        + " 'parley export' has them as long as the audit topic keeps them.")
                .orElse("The audit topic had lost those before it when the views were built.");
        return new StateQueryException(
                Code.MESSAGES_PRUNED,
                "The views have the messages of this conversation from sequence " + beginning.first() + " on. " + why);
    }

    /** Creates the exception for a point in time that very many checkpoints or messages of a context follow. */
    public static StateQueryException tooFarBack(String namespace, String context) {
        return new StateQueryException(
                Code.TOO_FAR_BACK,
                "Context " + context + " of namespace " + namespace + " has too many checkpoints or messages after this"
                        + " point in time, or since the last patch before it, to find the checkpoint of that time. Name"
                        + " that checkpoint, as in checkpoint:C2; /checkpoints lists all.");
    }

    static StateQueryException invalidCursor(String why) {
        return new StateQueryException(Code.INVALID_CURSOR, why);
    }

    static StateQueryException incomplete(String what) {
        return new StateQueryException(Code.INCOMPLETE, what);
    }
}
