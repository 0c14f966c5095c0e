package dev.parley.stage;

import dev.parley.avro.Inbound;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.decode.ConversationKey;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.Judgement;
import java.util.List;

/**
 * Decides whether a request for a redaction or an approval is valid. Writes nothing.
 *
 * @param judge replaces texts from messages in stored states
 * @param conversationStore store of the states
 * @param topic topic of the redaction requests
 * @param partition partition of the task, which alone writes the chain of its rejected requests
 * @param maxPerChain maximum number of recorded redactions and approvals per chain
 */
public record RedactStage(
        Judge judge, ConversationStore conversationStore, String topic, int partition, int maxPerChain) {
    /** Prefix of the chains of undecodable input. */
    private static final String UNDECODABLE = "|" + Protocol.UNKNOWN + "|";

    /**
     * Records a redaction or approval in the chain that it names, if the named record can exist. The stage compares
     * neither hash nor warnings, because it does not have the record. A rejected request belongs to a chain of this
     * task: it must neither create nor extend a chain of agents.
     *
     * @param inbound record of the request
     * @param redaction the request
     */
    public JudgedRecord judge(Inbound inbound, Redaction redaction) {
        ConversationState state = conversationStore.get(redaction.getChain());
        String problem = problem(redaction, state, inbound.getSource());
        if (problem != null) {
            return JudgedRecord.of(
                    ConversationKey.ofPartition(topic + ".refused", partition).toString(),
                    inbound,
                    null,
                    null,
                    Judgement.failure(Verdict.REJECTED, Stage.JUDGE, Code.REDACTION_REFUSED, problem));
        }
        ConversationState next = after(judge, state, redaction);
        Judgement judgement = new Judgement(Verdict.ACCEPTED, Stage.NONE, null, null, List.of(), List.of(), null, next);
        return JudgedRecord.of(redaction.getChain(), inbound, null, redaction, judgement);
    }

    /** Returns the state after a recorded redaction or approval, whose audit record follows. */
    static ConversationState after(Judge judge, ConversationState state, Redaction redaction) {
        return (redaction.getApproves() ? state : judge.hashTexts(state)).redacted();
    }

    /** Returns the reason for rejection, without texts of the request; null if the request is valid. */
    private String problem(Redaction redaction, ConversationState state, Source request) {
        if (state == null) {
            return "no chain has the name that the request gives; check the chain with the API or parley export";
        }
        if (redaction.getSequence() >= state.head().records()) {
            return "the chain has " + state.head().records() + " records, and the request names sequence "
                    + redaction.getSequence();
        }
        if (redaction.getSource().getTopic().equals(request.getTopic())
                && !redaction.getChain().startsWith(UNDECODABLE)) {
            return "the request names the record of a redaction or approval, which can be neither redacted nor approved";
        }
        if (state.head().redactions() >= maxPerChain) {
            return "the chain has " + state.head().redactions()
                    + " redactions and approvals, the maximum (audit.redactions.limit); find their source, or raise the limit";
        }
        return null;
    }
}
