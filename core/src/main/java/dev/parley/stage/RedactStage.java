package dev.parley.stage;

import dev.parley.avro.Inbound;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.decode.ConversationKey;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.Judge;

/** The stage of redactions: decides whether a request can be right. Writes nothing. */
public final class RedactStage {
    /** Prefix of the chains of undecodable input. */
    private static final String UNDECODABLE = "|" + Protocol.UNKNOWN + "|";

    private final Judge judge;
    private final ConversationStore conversationStore;
    private final String refusedChain;
    private final int maxPerChain;

    /**
     * A redaction stage.
     *
     * @param judge replaces the texts that a state keeps from messages
     * @param conversationStore where states are kept
     * @param partition partition of the task, which alone writes the chain of its refused requests
     * @param maxPerChain maximum number of redactions that one chain records
     */
    public RedactStage(Judge judge, ConversationStore conversationStore, int partition, int maxPerChain) {
        this.judge = judge;
        this.conversationStore = conversationStore;
        this.refusedChain = ConversationKey.ofPartition("parley.redaction.v1.refused", partition)
                .toString();
        this.maxPerChain = maxPerChain;
    }

    /**
     * Records a redaction in the chain that it names, if the record that it names can be there. The stage cannot
     * compare the payload hash: only those who have the record can. A refused request belongs to a chain of this task:
     * it must neither make nor grow a chain of agents.
     *
     * @param inbound record of the request
     * @param redaction the request
     */
    public JudgedRecord judge(Inbound inbound, Redaction redaction) {
        ConversationState state = conversationStore.get(redaction.getChain());
        String refusal = refusal(redaction, state, inbound.getSource());
        if (refusal != null) {
            return JudgedRecord.of(refusedChain, inbound, new Outcome.RedactionRefused(refusal));
        }
        ConversationState next = judge.seal(state).redacted();
        return JudgedRecord.of(redaction.getChain(), inbound, new Outcome.Redacted(redaction, next));
    }

    /** Why a redaction cannot be right, without its texts; null when it can. */
    private String refusal(Redaction redaction, ConversationState state, Source request) {
        if (state == null) {
            return "no chain has the name that the request gives; check the chain with the API or parley export";
        }
        if (redaction.getSequence() >= state.head().records()) {
            return "the chain has " + state.head().records() + " records, and the request names sequence "
                    + redaction.getSequence();
        }
        if (redaction.getSource().getTopic().equals(request.getTopic())
                && !redaction.getChain().startsWith(UNDECODABLE)) {
            return "the request names the record of a redaction, which the chain needs to have";
        }
        if (state.head().redactions() >= maxPerChain) {
            return "the chain has " + state.head().redactions()
                    + " redactions, as many as audit.redactions.limit allows; find out who writes them, or raise it";
        }
        return null;
    }
}
