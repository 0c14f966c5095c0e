package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Redrive;
import dev.parley.state.Nullable;
import java.util.List;

/**
 * A dead letter with its bytes and its redrives.
 *
 * @param summary the dead letter, whose keys are keys of this object
 * @param value the value in base64; null if there is none, or if masked
 * @param key key of the failed record; null if there is none, or if masked
 * @param headers headers of the failed record, in order; null if masked
 * @param inner complete messages inside the value, in the order of their bytes; none if masked
 * @param attempts number of times that the message has reached the pipeline
 * @param closures when it was closed and reopened, in order
 */
public record DeadLetterDetails(
        @JsonUnwrapped DeadLetter summary,
        @Nullable String value,
        @Nullable EncodedText key,
        @Nullable List<RecordHeader> headers,
        List<InnerMessage> inner,
        int attempts,
        List<Redrive> redrives,
        List<Redrive> closures) {}
