package dev.parley.json.model.write;

import dev.parley.avro.Redaction;
import dev.parley.json.Nullable;
import dev.parley.json.model.DeadLetter.RecordPosition;

/**
 * The redaction of a message.
 *
 * @param sent position of the request to the pipeline; null if the message was already redacted
 */
public record Redacting(Redaction redaction, @Nullable RecordPosition sent) {}
