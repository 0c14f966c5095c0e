package dev.parley.topology;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The place of the input record that a dead letter names in its headers.
 *
 * @param topic its topic
 * @param partition its partition
 * @param offset its offset
 */
public record InputPlace(String topic, int partition, long offset) {
    private static final Pattern PARTITION = Pattern.compile("[0-9]{1,9}");
    private static final Pattern OFFSET = Pattern.compile("[0-9]{1,18}");

    /** Read from the headers of a dead letter; empty when they name no place. */
    public static Optional<InputPlace> of(Headers headers) {
        String topic = text(headers, DeadLetters.TOPIC);
        String partition = text(headers, DeadLetters.PARTITION);
        String offset = text(headers, DeadLetters.SOURCE_OFFSET);
        return !topic.isEmpty()
                        && PARTITION.matcher(partition).matches()
                        && OFFSET.matcher(offset).matches()
                ? Optional.of(new InputPlace(topic, Integer.parseInt(partition), Long.parseLong(offset)))
                : Optional.empty();
    }

    private static String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
