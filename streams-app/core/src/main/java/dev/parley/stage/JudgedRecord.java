package dev.parley.stage;

import dev.parley.audit.EncodedAuditRecord;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Claims;
import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Symbols;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.dialogue.Judgement;
import java.util.List;

/**
 * An input record and its judgement, from the judge stage to the outputs. Immutable.
 *
 * @param chain key of the audit chain that records it
 * @param inbound the input record, with its decode error if it has one
 * @param message the decoded message; null for other records
 * @param redaction the redaction or approval that the record requests; null for other records, and if the request is
 *     rejected
 * @param judgement verdict of the stages
 * @param checkpoints checkpoints that the message wrote, its own last; empty if it made none
 * @param parkedIn chain of the context in which the record was parked before this judgement, which is final; null if it
 *     was not parked
 * @param audit its audit record; null before the record stage
 */
public record JudgedRecord(
        String chain,
        Inbound inbound,
        AgentMessage message,
        Redaction redaction,
        Judgement judgement,
        List<Checkpoint> checkpoints,
        String parkedIn,
        EncodedAuditRecord audit) {

    static JudgedRecord of(
            String chain, Inbound inbound, AgentMessage message, Redaction redaction, Judgement judgement) {
        return new JudgedRecord(chain, inbound, message, redaction, judgement, List.of(), null, null);
    }

    /** Creates an undecodable record from an input record without its decode error. */
    public static JudgedRecord undecodable(Inbound inbound, RecordDecodeResult.Undecodable error) {
        return undecodable(new Inbound(
                inbound.getSource(),
                inbound.getKey(),
                inbound.getValue(),
                inbound.getHeaders(),
                OversizedRecords.fault(error),
                inbound.getOmitted()));
    }

    /** Creates a record from its decode error: it is undecodable, or represents expired records. */
    public static JudgedRecord undecodable(Inbound inbound) {
        InboundFault fault = inbound.getFault();
        Source source = inbound.getSource();
        return of(
                ConversationKey.ofPartition(source.getTopic(), source.getPartition())
                        .toString(),
                inbound,
                null,
                null,
                Judgement.failure(Verdict.UNDECODABLE, Stage.DECODE, Code.of(fault.getCode()), fault.getDetail()));
    }

    /** Returns whether it waits for its base and is not recorded yet. */
    public boolean isParked() {
        return judgement.verdict() == Verdict.UNSPECIFIED;
    }

    /** Returns whether it was parked before and this judgement is final. */
    public boolean released() {
        return parkedIn != null;
    }

    /** Returns whether it represents records that were deleted before they were read, and is not one itself. */
    public boolean isExpired() {
        return inbound.getFault() != null && inbound.getFault().getUnread() != null;
    }

    /** Returns whether it is a message that was accepted or flagged. */
    public boolean passes() {
        return message != null && (isAccepted() || judgement.verdict() == Verdict.FLAGGED);
    }

    /** Returns whether it becomes a dead letter of a stage. Records that were deleted unread have no bytes for one. */
    public boolean failedAt(Stage stage) {
        return judgement.stage() == stage && judgement.verdict() != Verdict.FLAGGED && !isExpired();
    }

    /** Returns the protocol of the record; UNKNOWN if it is neither a message nor was decoded as one. */
    public Protocol protocol() {
        if (message != null) {
            return Symbols.PROTOCOL.of(message.getProtocol());
        }
        return claims() == null ? Protocol.UNKNOWN : ConversationKey.symbolOf(claims().getProtocol());
    }

    /** Returns the sender of the message; null without a message or sender. */
    public String sender() {
        return message == null ? null : message.getSender();
    }

    /** Returns what the record claims to be; null unless it is undecodable, and if its claims were not read. */
    public Claims claims() {
        return inbound.getFault() == null ? null : inbound.getFault().getClaims();
    }

    boolean isAccepted() {
        return judgement.verdict() == Verdict.ACCEPTED;
    }

    JudgedRecord with(Judgement other, List<Checkpoint> written) {
        return new JudgedRecord(chain, inbound, message, redaction, other, written, parkedIn, audit);
    }

    JudgedRecord releasedFrom(String context) {
        return new JudgedRecord(chain, inbound, message, redaction, judgement, checkpoints, context, audit);
    }

    JudgedRecord recorded(EncodedAuditRecord auditRecord) {
        return new JudgedRecord(chain, inbound, message, redaction, judgement, checkpoints, parkedIn, auditRecord);
    }
}
