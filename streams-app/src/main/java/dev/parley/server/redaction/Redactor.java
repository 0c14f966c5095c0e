package dev.parley.server.redaction;

import dev.parley.audit.RedactionFields;
import dev.parley.avro.Redaction;

/** Writes redaction requests to the topic from which the pipeline reads them. Thread-safe. */
@FunctionalInterface
public interface Redactor {

    /** Maximum characters of the reason and of the name of the requester. */
    int MAX_REASON_CHARACTERS = RedactionFields.MAX_TEXT_CHARACTERS;

    /**
     * Writes a redaction request, and waits until all replicas have it. Returns {@link SendResult.Sent} or
     * {@link SendResult.Unavailable}.
     */
    SendResult redact(Redaction redaction);
}
