package dev.parley.server.auth;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.topology.views.store.PrivateContent;

/**
 * Decides which bodies the API masks for readers. The audit topic contains them all: masking hides content from a
 * caller, redaction deletes it.
 */
public enum MaskingPolicy {
    /** Masks nothing. */
    NONE,

    /**
     * Masks messages that their protocol marks as private, such as Λ messages with the trust prefix "prv:" and
     * encrypted ones. Undecoded bytes are masked if they contain such a mark anywhere, or if they are incomplete.
     */
    PRIVATE;

    /** The policy for a role. */
    public static MaskingPolicy of(Role role) {
        return role.seesPrivateMessages() ? NONE : PRIVATE;
    }

    /** Whether to mask the body of this message, and every text that may quote it. */
    public boolean masks(AuditRecord record) {
        return this != NONE && PrivateContent.isPrivate(record);
    }

    /** Whether to mask the preview of this dead letter, and every text that may quote it. */
    public boolean masks(DeadLetterSummary deadLetter) {
        boolean decoded = deadLetter.getStage() == Stage.DIALOGUE || deadLetter.getStage() == Stage.PATCH;
        boolean lambda = deadLetter.getProtocol() == Protocol.LAMBDA || deadLetter.getProtocol() == Protocol.UNKNOWN;
        if (this == NONE || decoded && !lambda) {
            return false;
        }
        Integer size = deadLetter.getValueSize();
        boolean truncated = size != null && size > deadLetter.getPreview().remaining();
        return truncated || PrivateContent.hasMark(deadLetter.getPreview());
    }
}
