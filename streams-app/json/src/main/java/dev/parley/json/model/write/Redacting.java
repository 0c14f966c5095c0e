package dev.parley.json.model.write;

import dev.parley.avro.Redaction;
import dev.parley.json.model.DeadLetter.RecordPosition;
import dev.parley.state.Nullable;

/**
 * The redaction or approval of a message.
 *
 * @param sent position of the request to the pipeline; null if the message was redacted or approved already
 */
public record Redacting(Redaction redaction, @Nullable RecordPosition sent) {}
