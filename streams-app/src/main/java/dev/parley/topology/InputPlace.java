package dev.parley.topology;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;

/**
 * The place of the input record that a dead letter names in its headers.
 *
 * @param topic its topic
 * @param partition its partition
 * @param offset its offset
 */
public record InputPlace(String topic, int partition, long offset) {
    /** Read from the headers of a dead letter; empty when they name no place. */
    public static Optional<InputPlace> of(Headers headers) {
        String topic = KafkaHeaders.text(headers, DeadLetters.TOPIC);
        OptionalLong partition = KafkaHeaders.number(headers, DeadLetters.PARTITION, DeadLetters.PARTITION_DIGITS);
        OptionalLong offset = KafkaHeaders.number(headers, DeadLetters.SOURCE_OFFSET, DeadLetters.OFFSET_DIGITS);
        return topic != null && !topic.isEmpty() && partition.isPresent() && offset.isPresent()
                ? Optional.of(new InputPlace(topic, (int) partition.getAsLong(), offset.getAsLong()))
                : Optional.empty();
    }
}
