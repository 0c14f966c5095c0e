package dev.parley.pipeline;

import dev.parley.audit.AuditChain;
import dev.parley.audit.Journal;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Omitted;
import dev.parley.avro.Profile;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.Decoding;
import dev.parley.dialogue.ConversationState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The last stage: gives each verdict its place in its audit chain and keeps the conversation's state. Not for several threads at once. */
public final class Recording {
    private final Conversations conversations;
    private final AuditChain chain = new AuditChain();
    private final Profile profile;
    private final int messageBytes;
    private final Optional<Journal> journal;

    /**
     * A recording.
     *
     * @param conversations where states are kept
     * @param options how messages are read; raw bytes beyond the message limit are left out
     */
    public Recording(Conversations conversations, DecodeOptions options) {
        this(conversations, options, Optional.empty());
    }

    /**
     * A recording.
     *
     * @param conversations where states are kept
     * @param options how messages are read; raw bytes beyond the message limit are left to the dead letter
     * @param journal takes every record; empty where nobody keeps one
     */
    public Recording(Conversations conversations, DecodeOptions options, Optional<Journal> journal) {
        this.conversations = conversations;
        this.journal = journal;
        this.profile = options.profile();
        this.messageBytes = options.limits().messageBytes();
    }

    /**
     * Records one final verdict: makes the next link of its chain and keeps the conversation's new state.
     *
     * @param judged a verdict that is final
     * @return the link
     */
    public AuditRecord record(Judged judged) {
        ConversationState before = judged.next() != null ? judged.next() : conversations.get(judged.chain());
        if (before == null) {
            before = ConversationState.NEW;
        }
        AuditRecord link = new AuditRecord();
        link.setChain(judged.chain());
        link.setSequence(before.head().records());
        link.setPreviousHash(before.head().hash().hasRemaining() ? before.head().hash() : AuditChain.genesis());
        link.setSource(judged.inbound().getSource());
        link.setVerdict(judged.verdict());
        link.setStage(judged.stage());
        link.setCode(judged.code() == null ? null : judged.code().name());
        link.setDetail(judged.detail());
        link.setWarnings(names(judged.warnings()));
        link.setRule(judged.rule());
        link.setProfile(profile);
        if (judged.decoding() instanceof Decoding.Message decoded) {
            link.setMessage(decoded.message());
            link.setPayloadHash(decoded.message().getSha256());
        } else if (judged.decoding() instanceof Decoding.Undecodable undecodable) {
            boolean expired = undecodable.code() == Code.INPUT_EXPIRED;
            link.setPosition(expired ? null : (Integer) undecodable.position());
            link.setUnread(expired ? judged.inbound().getFault().getUnread() : null);
            ByteBuffer value = judged.inbound().getValue();
            Omitted omitted = judged.inbound().getOmitted();
            if (omitted != null) {
                link.setOmitted(Omissions.audited(omitted));
                link.setPayloadHash(omitted.getSha256());
            } else {
                link.setPayloadHash(chain.payloadHash(value == null ? ByteBuffer.allocate(0) : value));
                link.setRaw(value != null && value.remaining() <= messageBytes ? value : null);
            }
        } else if (judged.decoding() instanceof Decoding.Redacting redacting) {
            // The bytes of a request that was refused are all that is recorded of it: it redacts nothing.
            link.setRedaction(judged.code() == null ? redacting.redaction() : null);
            link.setRaw(judged.inbound().getValue());
            link.setPayloadHash(chain.payloadHash(link.getRaw()));
        }
        journal.ifPresent(entries -> link.setJournal(entries.next()));
        link.setContentHash(chain.contentHash(link));
        link.setHash(chain.hash(link));
        conversations.put(judged.chain(), after(before, link));
        journal.ifPresent(entries -> entries.add(link));
        return link;
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
