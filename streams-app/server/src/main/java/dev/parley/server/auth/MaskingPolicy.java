package dev.parley.server.auth;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.codec.Code;
import dev.parley.topology.topics.PrivateContent;

/**
 * Decides which bodies the API masks for readers. The audit topic contains them all: masking hides content from a
 * caller, redaction deletes it.
 */
public enum MaskingPolicy {
    /** Masks nothing. */
    NONE,

    /**
     * Masks messages that their protocol marks as private, such as Λ messages with the trust prefix "prv:" and
     * encrypted ones. Undecoded bytes are masked if they contain such a mark anywhere, or if they are omitted.
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

    /** The claims of an undecodable record; null if it has none, or the caller may not see its content. */
    public Claims claims(AuditRecord record) {
        return record.getClaims() == null || masks(record) ? null : record.getClaims();
    }

    /** Whether to mask the preview of this dead letter. */
    public boolean masks(DeadLetterSummary deadLetter) {
        return this != NONE && PrivateContent.isPrivate(deadLetter);
    }

    /**
     * Whether to mask the texts of this dead letter that may quote its value: detail and claims. The decoder does not
     * read a value that is too large, so they quote only headers and key.
     */
    public boolean masksQuotes(DeadLetterSummary deadLetter) {
        return masks(deadLetter) && !deadLetter.getCode().equals(Code.MESSAGE_TOO_LARGE.name());
    }
}
