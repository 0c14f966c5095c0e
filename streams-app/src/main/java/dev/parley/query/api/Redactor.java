package dev.parley.query.api;

import dev.parley.audit.RedactionFields;
import dev.parley.avro.Redaction;

/**
 * Writes the wish that the payload of an audit record be forgotten to where the pipeline takes it from. Implementations
 * may be asked by many threads.
 */
@FunctionalInterface
public interface Redactor {
    /** Most characters of a reason, and of who wants it. */
    int LONGEST_REASON = RedactionFields.MAX_TEXT_CHARACTERS;

    /**
     * Writes it, and returns when all replicas have it; it is {@link SendResult.Sent} or
     * {@link SendResult.Unavailable}.
     */
    SendResult redact(Redaction wish);
}
