package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.avro.Redrive;
import dev.parley.json.Nullable;
import java.util.List;

/**
 * A dead letter with its bytes and its redrives.
 *
 * @param summary the dead letter, whose keys are keys of this object
 * @param value the value in base64; null if there is none, or if masked
 * @param attempts number of times that the message has reached the pipeline
 */
public record DeadLetterDetails(
        @JsonUnwrapped DeadLetter summary, @Nullable String value, int attempts, List<Redrive> redrives) {}
