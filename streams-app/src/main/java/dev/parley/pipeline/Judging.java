package dev.parley.pipeline;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.codec.Code;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.Decoding;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordHeaders;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.ContextView;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.Judgement;
import java.util.List;
import java.util.function.Predicate;

/** The judging stage: decodes an input record, reads its conversation's state and asks the rules. Writes nothing. */
public final class Judging {
    /** What the chains of undecodable input begin with. */
    private static final String UNDECODABLE = "|" + Protocol.UNKNOWN + "|";

    private final MessageDecoder decoder;
    private final Judge judge;
    private final Conversations conversations;
    private final CheckpointReader checkpoints;
    private final RedactionLimits redactions;

    /**
     * Which redactions are refused, and where that is recorded.
     *
     * @param refused chain of the requests that are refused; one task alone may write it
     * @param perChain maximum number of redactions that one chain records
     */
    public record RedactionLimits(String refused, int perChain) {
        /** For work without tasks. */
        public static final RedactionLimits DEFAULT = of(0, 10_000);

        /** The limits of a task, by its partition. */
        public static RedactionLimits of(int partition, int perChain) {
            return new RedactionLimits(
                    ConversationKey.ofPartition("parley.redaction.v1.refused", partition)
                            .toString(),
                    perChain);
        }
    }

    /** A judging stage with the default limits of redactions. */
    public Judging(MessageDecoder decoder, Judge judge, Conversations conversations, CheckpointReader checkpoints) {
        this(decoder, judge, conversations, checkpoints, RedactionLimits.DEFAULT);
    }

    /**
     * A judging stage.
     *
     * @param decoder decodes input records
     * @param judge the rules
     * @param conversations where states are kept
     * @param checkpoints what the contexts define
     * @param redactions which redactions are refused
     */
    public Judging(
            MessageDecoder decoder,
            Judge judge,
            Conversations conversations,
            CheckpointReader checkpoints,
            RedactionLimits redactions) {
        this.redactions = redactions;
        this.decoder = decoder;
        this.judge = judge;
        this.conversations = conversations;
        this.checkpoints = checkpoints;
    }

    /** Judges an input record that keeps its headers with it. */
    public Judged judge(Inbound inbound) {
        return judge(inbound, headersOf(inbound));
    }

    /**
     * Judges an input record.
     *
     * @param inbound the record; one that carries a fault is not decoded again
     * @param headers its headers
     */
    public Judged judge(Inbound inbound, RecordHeaders headers) {
        if (inbound.getRedaction() != null) {
            return redacting(inbound);
        }
        Decoding decoding = inbound.getFault() != null
                ? undecodable(inbound.getFault())
                : decoder.decode(new WireRecord(
                        inbound.getSource(), Bytes.of(inbound.getKey()), Bytes.of(inbound.getValue()), headers));
        if (decoding instanceof Decoding.Undecodable fault) {
            return failed(inbound, fault);
        }
        Decoding.Message decoded = (Decoding.Message) decoding;
        AgentMessage message = decoded.message();
        String chain = keyOf(decoding, inbound.getSource()).toString();
        ConversationState state = conversations.get(chain);
        Judgement judgement = judge.judge(
                state == null ? ConversationState.NEW : state,
                message,
                decoded.warnings(),
                decoded.violations(),
                new Context(checkpoints, message.getNamespace(), message.getConversation()));
        return new Judged(
                chain,
                inbound,
                decoded,
                judgement.verdict(),
                judgement.stage(),
                judgement.code(),
                null,
                judgement.warnings(),
                judgement.rule().toString(),
                judgement.next(),
                List.of(),
                Judged.Parking.NONE);
    }

    /** The chain that a record belongs to: its conversation's, or its source partition's when it cannot be decoded. */
    public static ConversationKey keyOf(Decoding decoding, Source source) {
        if (decoding instanceof Decoding.Message decoded) {
            return ConversationKey.of(decoded.message());
        }
        return ConversationKey.ofPartition(source.getTopic(), source.getPartition());
    }

    /**
     * Records a redaction in the chain that it names, if the record that it names can be there. Whether the payload hash is that of the record, only those can say who have the record.
     * A request that is refused belongs to a chain of this task: it must neither make a chain nor grow one of agents.
     */
    private Judged redacting(Inbound inbound) {
        Redaction redaction = inbound.getRedaction();
        ConversationState state = conversations.get(redaction.getChain());
        String refusal = refusal(redaction, state, inbound.getSource());
        ConversationState next = null;
        if (refusal == null) {
            next = judge.seal(state).redacted();
        }
        return new Judged(
                refusal == null ? redaction.getChain() : redactions.refused(),
                inbound,
                new Decoding.Redacting(redaction),
                refusal == null ? Verdict.ACCEPTED : Verdict.REJECTED,
                refusal == null ? Stage.NONE : Stage.DIALOGUE,
                refusal == null ? null : Code.REDACTION_REFUSED,
                refusal,
                List.of(),
                null,
                next,
                List.of(),
                Judged.Parking.NONE);
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
        if (state.head().redactions() >= redactions.perChain()) {
            return "the chain has " + state.head().redactions()
                    + " redactions, as many as audit.redactions.limit allows; find out who writes them, or raise it";
        }
        return null;
    }

    private static Judged failed(Inbound inbound, Decoding.Undecodable fault) {
        return new Judged(
                keyOf(fault, inbound.getSource()).toString(),
                inbound,
                fault,
                Verdict.UNDECODABLE,
                Stage.DECODE,
                fault.code(),
                fault.detail(),
                List.of(),
                null,
                null,
                List.of(),
                Judged.Parking.NONE);
    }

    private static Decoding undecodable(InboundFault fault) {
        return new Decoding.Undecodable(
                fault.getProtocol(),
                fault.getNamespace(),
                Code.of(fault.getCode()),
                fault.getPosition(),
                fault.getDetail());
    }

    private static RecordHeaders headersOf(Inbound inbound) {
        return name -> {
            List<InboundHeader> headers = inbound.getHeaders();
            for (int i = headers.size() - 1; i >= 0; i--) {
                if (headers.get(i).getKey().equals(name)) {
                    return Bytes.of(headers.get(i).getValue());
                }
            }
            return null;
        };
    }

    /** The checkpoints of one context, as the rules ask for them. */
    private record Context(CheckpointReader checkpoints, String namespace, String context) implements ContextView {

        @Override
        public boolean knows(String checkpoint) {
            return checkpoints.exists(new CheckpointKey(namespace, context, checkpoint));
        }

        @Override
        public Predicate<String> names(String checkpoint) {
            return checkpoints.names(new CheckpointKey(namespace, context, checkpoint));
        }
    }
}
