package dev.parley.stage;

import dev.parley.audit.AuditChain;
import dev.parley.audit.EncodedAuditRecord;
import dev.parley.audit.RecordLog;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.avro.Omitted;
import dev.parley.avro.Profile;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.Judgement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The last stage: appends each verdict to its audit chain and stores the state of the conversation. No other stage
 * writes that store; apart from the stages, only the judge processor closes idle dialogues in it. Not thread-safe.
 */
public final class RecordStage {
    private static final int DRAWN_SALTS = 64;

    private final ConversationStore conversationStore;
    private final AuditChain chain = new AuditChain();
    private final Profile profile;
    private final int messageBytes;
    private final RecordLog log;
    private final RandomGenerator salts;
    private final byte[] drawn = new byte[DRAWN_SALTS * AuditChain.SALT_BYTES];
    private int nextSalt = drawn.length;

    /**
     * Creates the stage.
     *
     * @param conversationStore store of the states
     * @param options profile and limits; only the dead letter has payloads over the message limit
     * @param log log of all records
     * @param salts source of the salts, which must be secure
     */
    public RecordStage(
            ConversationStore conversationStore, DecodeOptions options, RecordLog log, RandomGenerator salts) {
        this.conversationStore = conversationStore;
        this.log = log;
        this.salts = salts;
        this.profile = options.profile();
        this.messageBytes = options.limits().messageBytes();
    }

    /**
     * Records one final verdict: appends an audit record to its chain and stores the new state of the conversation.
     *
     * @param judged a record that is not parked
     * @return the record with its audit record
     * @throws IllegalArgumentException if the record is parked
     */
    public JudgedRecord record(JudgedRecord judged) {
        if (judged.isParked()) {
            throw new IllegalArgumentException("a parked patch has no verdict yet; record it after its release");
        }
        Judgement judgement = judged.judgement();
        // A judgement has the dialogue state after the message; the head is that before this audit record.
        ConversationState before = judgement.next() != null ? judgement.next() : conversationStore.get(judged.chain());
        if (before == null) {
            before = ConversationState.NEW;
        }
        AuditRecord auditRecord = new AuditRecord();
        auditRecord.setChain(judged.chain());
        auditRecord.setSequence(before.head().records());
        auditRecord.setPreviousHash(
                before.head().hash().hasRemaining() ? before.head().hash() : AuditChain.genesis());
        auditRecord.setSource(judged.inbound().getSource());
        auditRecord.setVerdict(judgement.verdict().name());
        auditRecord.setStage(judgement.stage().name());
        auditRecord.setCode(judgement.code() == null ? null : judgement.code().name());
        auditRecord.setDetail(judgement.detail());
        auditRecord.setAllowed(judgement.allowed());
        auditRecord.setWarnings(names(judgement.warnings()));
        auditRecord.setRule(judgement.rule());
        auditRecord.setProfile(profile.name());
        auditRecord.setInnerMessages(List.of());
        setContent(auditRecord, judged);
        auditRecord.setLog(log.next());
        auditRecord.setRules(RuleVersion.CURRENT);
        auditRecord.setSalt(salt());
        EncodedAuditRecord sealed = chain.seal(auditRecord);
        conversationStore.put(judged.chain(), after(before, auditRecord));
        log.append(sealed.auditRecord().getHash());
        return judged.recorded(sealed);
    }

    /** Sets what is recorded: a message, or the bytes of an input with its decode error, redaction or approval. */
    private void setContent(AuditRecord auditRecord, JudgedRecord judged) {
        InboundFault fault = judged.inbound().getFault();
        if (judged.message() != null) {
            auditRecord.setMessage(judged.message());
            auditRecord.setPayloadHash(judged.message().getSha256());
        } else if (fault != null) {
            auditRecord.setPosition(fault.getUnread() == null ? fault.getPosition() : null);
            auditRecord.setUnread(fault.getUnread());
            auditRecord.setClaims(fault.getClaims());
            auditRecord.setInnerMessages(fault.getInnerMessages());
            setPayload(auditRecord, judged.inbound(), messageBytes);
        } else {
            // A rejected request redacts nothing; only its bytes are recorded.
            auditRecord.setRedaction(judged.redaction());
            setPayload(auditRecord, judged.inbound(), Integer.MAX_VALUE);
        }
    }

    /** Sets the hash of the payload, and the payload itself if it is within this size. */
    private void setPayload(AuditRecord auditRecord, Inbound inbound, int maxBytes) {
        Omitted omitted = inbound.getOmitted();
        if (omitted != null) {
            auditRecord.setOmitted(OversizedRecords.audited(omitted));
            auditRecord.setPayloadHash(omitted.getSha256());
            return;
        }
        ByteBuffer value = inbound.getValue();
        auditRecord.setPayloadHash(chain.payloadHash(value == null ? ByteBuffer.allocate(0) : value));
        auditRecord.setRaw(value != null && value.remaining() <= maxBytes ? value : null);
    }

    private static ConversationState after(ConversationState before, AuditRecord auditRecord) {
        ConversationState recorded = before.recorded(auditRecord.getHash());
        // A redaction or approval is not activity in the dialogue.
        return auditRecord.getRedaction() != null
                ? recorded
                : recorded.activeAt(auditRecord.getSource().getTimestamp().toEpochMilli());
    }

    /** The next salt. The source is asked for several at once, because that is most of the cost of a salt. */
    private ByteBuffer salt() {
        if (nextSalt == drawn.length) {
            salts.nextBytes(drawn);
            nextSalt = 0;
        }
        byte[] salt = Arrays.copyOfRange(drawn, nextSalt, nextSalt + AuditChain.SALT_BYTES);
        nextSalt += AuditChain.SALT_BYTES;
        return ByteBuffer.wrap(salt);
    }

    private static List<String> names(List<Code> codes) {
        if (codes.isEmpty()) {
            return List.of();
        }
        List<String> names = new ArrayList<>(codes.size());
        for (Code code : codes) {
            names.add(code.name());
        }
        return names;
    }
}
