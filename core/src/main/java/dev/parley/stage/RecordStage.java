package dev.parley.stage;

import dev.parley.audit.AuditChain;
import dev.parley.audit.Journal;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Inbound;
import dev.parley.avro.Omitted;
import dev.parley.avro.Profile;
import dev.parley.avro.Stage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.dialogue.ConversationState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The last stage: appends each verdict to its audit chain and stores the state of the conversation. Not thread-safe.
 */
public final class RecordStage {
    private final ConversationStore conversationStore;
    private final AuditChain chain = new AuditChain();
    private final Profile profile;
    private final int messageBytes;
    private final Optional<Journal> journal;

    /**
     * Creates the stage without a journal.
     *
     * @param conversationStore store of the states
     * @param options profile and limits; payloads over the message limit are omitted
     */
    public RecordStage(ConversationStore conversationStore, DecodeOptions options) {
        this(conversationStore, options, Optional.empty());
    }

    /**
     * Creates the stage.
     *
     * @param conversationStore store of the states
     * @param options profile and limits; only the dead letter has payloads over the message limit
     * @param journal journal of all records; empty if there is none
     */
    public RecordStage(ConversationStore conversationStore, DecodeOptions options, Optional<Journal> journal) {
        this.conversationStore = conversationStore;
        this.journal = journal;
        this.profile = options.profile();
        this.messageBytes = options.limits().messageBytes();
    }

    /**
     * Records one final verdict: appends an audit record to its chain and stores the new state of the conversation.
     *
     * @param judged a record that is not parked
     * @return the audit record
     */
    public AuditRecord record(JudgedRecord judged) {
        Outcome outcome = judged.outcome();
        ConversationState before = outcome.next().orElseGet(() -> conversationStore.get(judged.chain()));
        if (before == null) {
            before = ConversationState.NEW;
        }
        AuditRecord link = new AuditRecord();
        link.setChain(judged.chain());
        link.setSequence(before.head().records());
        link.setPreviousHash(before.head().hash().hasRemaining() ? before.head().hash() : AuditChain.genesis());
        link.setSource(judged.inbound().getSource());
        link.setVerdict(outcome.verdict());
        link.setStage(Stage.NONE);
        outcome.failure().ifPresent(failure -> {
            link.setStage(failure.stage());
            link.setCode(failure.code().name());
            link.setDetail(failure.detail());
        });
        link.setWarnings(names(outcome.warnings()));
        link.setRule(outcome.rule());
        link.setProfile(profile);
        setContent(link, outcome, judged.inbound());
        journal.ifPresent(entries -> link.setJournal(entries.next()));
        link.setContentHash(chain.contentHash(link));
        link.setHash(chain.hash(link));
        conversationStore.put(judged.chain(), after(before, link));
        journal.ifPresent(entries -> entries.add(link));
        return link;
    }

    private void setContent(AuditRecord link, Outcome outcome, Inbound inbound) {
        if (outcome instanceof Outcome.OfMessage decided) {
            AgentMessage message = decided.judged().message();
            link.setMessage(message);
            link.setPayloadHash(message.getSha256());
        } else if (outcome instanceof Outcome.Redacted redacted) {
            link.setRedaction(redacted.redaction());
            setPayload(link, inbound, Integer.MAX_VALUE);
        } else if (outcome instanceof Outcome.RedactionRefused) {
            // A rejected request redacts nothing; only its bytes are recorded.
            setPayload(link, inbound, Integer.MAX_VALUE);
        } else if (outcome instanceof Outcome.Undecodable undecodable) {
            link.setPosition(undecodable.fault().position());
            setPayload(link, inbound, messageBytes);
        } else if (outcome instanceof Outcome.Expired expired) {
            link.setUnread(expired.offsets());
            setPayload(link, inbound, messageBytes);
        }
    }

    /** Sets the hash of the payload, and the payload itself if it is within this size. */
    private void setPayload(AuditRecord link, Inbound inbound, int maxBytes) {
        Omitted omitted = inbound.getOmitted();
        if (omitted != null) {
            link.setOmitted(OversizedRecords.audited(omitted));
            link.setPayloadHash(omitted.getSha256());
            return;
        }
        ByteBuffer value = inbound.getValue();
        link.setPayloadHash(chain.payloadHash(value == null ? ByteBuffer.allocate(0) : value));
        link.setRaw(value != null && value.remaining() <= maxBytes ? value : null);
    }

    private static ConversationState after(ConversationState before, AuditRecord link) {
        ConversationState recorded = before.recorded(link.getHash());
        // A redaction is not activity in the dialogue.
        return link.getRedaction() != null
                ? recorded
                : recorded.activeAt(link.getSource().getTimestamp().toEpochMilli());
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
