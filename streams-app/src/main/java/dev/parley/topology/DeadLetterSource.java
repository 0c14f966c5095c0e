package dev.parley.topology;

import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;

/**
 * Where a dead letter came from, as its headers say.
 *
 * @param topic an input topic
 * @param partition its partition
 */
public record DeadLetterSource(String topic, int partition) {

    /** Read from the headers of a dead letter; empty when they do not name an input topic of Parley and a partition. */
    public static Optional<DeadLetterSource> of(Headers headers) {
        return of(headers, Topics.INPUTS);
    }

    /** The same for the input topics of a deployment. */
    public static Optional<DeadLetterSource> of(Headers headers, Collection<String> inputs) {
        String topic = KafkaHeaders.text(headers, DeadLetters.TOPIC);
        OptionalLong partition = KafkaHeaders.number(headers, DeadLetters.PARTITION, DeadLetters.PARTITION_DIGITS);
        return topic != null && inputs.contains(topic) && partition.isPresent()
                ? Optional.of(new DeadLetterSource(topic, (int) partition.getAsLong()))
                : Optional.empty();
    }
}
