package dev.parley.topology;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Where a dead letter came from, as its headers say.
 *
 * @param topic one of {@link Topics#INPUTS}
 * @param partition its partition
 */
public record DeadLetterSource(String topic, int partition) {

    private static final int LONGEST = 9;

    /** Read from the headers of a dead letter; empty when they do not name an input topic of Parley and a partition. */
    public static Optional<DeadLetterSource> of(Headers headers) {
        String topic = text(headers, DeadLetters.TOPIC);
        String partition = text(headers, DeadLetters.PARTITION);
        boolean digits = !partition.isEmpty()
                && partition.length() <= LONGEST
                && partition.chars().allMatch(c -> c >= '0' && c <= '9');
        return Topics.INPUTS.contains(topic) && digits
                ? Optional.of(new DeadLetterSource(topic, Integer.parseInt(partition)))
                : Optional.empty();
    }

    private static String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
