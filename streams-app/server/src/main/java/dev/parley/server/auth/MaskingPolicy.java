package dev.parley.server.auth;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.codec.Code;
import dev.parley.topology.topics.PrivateContent;
import dev.parley.topology.topics.PublicContent;
import java.util.Optional;

/**
 * Decides which content the API masks for a caller. The audit topic contains it all: masking hides content from a
 * caller, redaction deletes it.
 *
 * @param content the content that the caller may see; empty for all
 */
public record MaskingPolicy(Optional<PublicContent> content) {
    /** Masks nothing. */
    public static final MaskingPolicy NONE = new MaskingPolicy(Optional.empty());

    /**
     * The policy for a role.
     *
     * @param readers the content that readers may see
     */
    public static MaskingPolicy of(Role role, PublicContent readers) {
        return role.seesPrivateMessages() ? NONE : new MaskingPolicy(Optional.of(readers));
    }

    /**
     * The part of a record that the caller may see.
     *
     * @return null if its whole body, and every text that may quote it, are hidden; see {@link PublicContent#of}
     */
    public AuditRecord visible(AuditRecord record) {
        return content.isEmpty() ? record : content.get().of(record);
    }

    /** The claims of an undecodable record; null if it has none, or they may quote private content. */
    public Claims claims(AuditRecord record) {
        return content.isPresent() && record.getClaims() != null && PrivateContent.isPrivate(record)
                ? null
                : record.getClaims();
    }

    /** Whether to mask the preview of this dead letter, and the texts that quote its value. */
    public boolean masks(DeadLetterSummary deadLetter) {
        return content.filter(readers -> readers.hides(deadLetter)).isPresent();
    }

    /** Whether to mask hashes of bytes whose other parts the caller may see. */
    public boolean masksHashes() {
        return content.filter(readers -> !readers.rules().isEmpty()).isPresent();
    }

    /** Whether to mask the detail of this dead letter. */
    public boolean masksDetail(DeadLetterSummary deadLetter) {
        return masks(deadLetter) && isRead(deadLetter);
    }

    /** Whether to mask what this dead letter claims. */
    public boolean masksClaims(DeadLetterSummary deadLetter) {
        return content.isPresent() && PrivateContent.isPrivate(deadLetter) && isRead(deadLetter);
    }

    /** The decoder does not read a value that is too large, so texts quote only headers and key. */
    private static boolean isRead(DeadLetterSummary deadLetter) {
        return !deadLetter.getCode().equals(Code.MESSAGE_TOO_LARGE.name());
    }
}
