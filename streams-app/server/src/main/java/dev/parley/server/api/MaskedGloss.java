package dev.parley.server.api;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Redaction;
import dev.parley.avro.Stage;
import dev.parley.codec.Excerpt;
import dev.parley.encoding.ByteBuffers;
import dev.parley.gloss.Definitions;
import dev.parley.gloss.Sentence;
import dev.parley.protocol.Glosses;
import dev.parley.server.auth.MaskingPolicy;
import java.util.Optional;

/**
 * Glosses for callers: hidden where the message is hidden or redacted. Expands only the definitions of the message
 * itself, because those in force would need the messages before it, some of which the caller may not see.
 *
 * @param masking policy for the role of the caller
 */
public record MaskedGloss(Glosses glosses, MaskingPolicy masking) {
    /** Maximum characters in a list or a stream. */
    private static final int MAX_BRIEF = 300;

    /**
     * The gloss of a recorded message, redaction or approval; null if the record has none, or the caller may not see
     * the message.
     */
    public String of(AuditRecord record) {
        Redaction redaction = record.getRedaction();
        if (redaction != null) {
            return new Sentence()
                    .value(redaction.getBy())
                    .add((redaction.getApproves() ? " approves message " : " redacts message ")
                            + redaction.getSequence()
                            + ": ")
                    .value(redaction.getReason())
                    .toString();
        }
        AgentMessage message = record.getMessage();
        AuditRecord visible = message == null || record.getRedacted() != null ? null : masking.visible(record);
        return visible == null ? null : glosses.gloss(visible.getMessage(), Definitions.NONE);
    }

    /** The beginning of {@link #of(AuditRecord)}, for a list or a stream. */
    public String brief(AuditRecord record) {
        return Excerpt.cut(of(record), MAX_BRIEF);
    }

    /**
     * The gloss of a dead letter that the caller may see.
     *
     * @param recorded its audit record; empty if this instance does not have it
     * @return null if it is not a message, or neither the audit record nor its whole value is at hand
     */
    public String of(DeadLetterSummary deadLetter, Optional<AuditRecord> recorded) {
        if (deadLetter.getStage() != Stage.JUDGE && deadLetter.getStage() != Stage.APPLY) {
            return null;
        }
        if (recorded.isPresent() && deadLetter.getSha256().equals(recorded.get().getPayloadHash())) {
            return of(recorded.get());
        }
        Integer size = deadLetter.getValueSize();
        if (size == null || size != deadLetter.getPreview().remaining()) {
            return null;
        }
        String sender = masking.masksClaims(deadLetter) ? null : deadLetter.getSender();
        return glosses.gloss(deadLetter.getProtocol().name(), ByteBuffers.of(deadLetter.getPreview()), sender)
                .orElse(null);
    }
}
