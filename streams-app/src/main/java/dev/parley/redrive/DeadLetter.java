package dev.parley.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.topology.setup.DeadLetterHeaders;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/**
 * A committed record of a dead-letter topic.
 *
 * @param id its topic, partition and offset
 * @param timestamp milliseconds since 1970
 * @param key key of the input record; may be null
 * @param value value of the input record; null if the record had none, or if the dead letter omits it
 * @param headers headers of the input record, and {@link DeadLetterHeaders}
 */
public record DeadLetter(InputPosition id, long timestamp, byte[] key, byte[] value, Headers headers) {

    /** The input position of the failed record, which identifies it; empty if the headers name none. */
    public Optional<InputPosition> source() {
        return DeadLetterHeaders.inputPosition(headers);
    }

    /** Whether the dead letter omits the value of a record that was too large. */
    public boolean isOmitted() {
        return DeadLetterHeaders.isOmitted(headers);
    }
}
