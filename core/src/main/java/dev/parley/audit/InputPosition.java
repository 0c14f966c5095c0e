package dev.parley.audit;

import dev.parley.avro.Source;
import java.util.Optional;

/**
 * Position of a record in an input topic, written {@code topic-partition@offset}.
 *
 * @param topic name of the input topic
 * @param partition partition of the topic
 * @param offset offset in the partition
 */
public record InputPosition(String topic, int partition, long offset) {
    private static final int MAX_PARTITION_DIGITS = 9;
    private static final int MAX_OFFSET_DIGITS = 18;

    /** Returns the position of an input record. */
    public static InputPosition of(Source source) {
        return new InputPosition(source.getTopic(), source.getPartition(), source.getOffset());
    }

    /** Parses the form that {@link #toString} writes; empty if the text has another form. */
    public static Optional<InputPosition> parse(String text) {
        int at = text.lastIndexOf('@');
        int dash = at < 0 ? -1 : text.lastIndexOf('-', at);
        if (dash < 1) {
            return Optional.empty();
        }
        String partition = text.substring(dash + 1, at);
        String offset = text.substring(at + 1);
        return isNumber(partition, MAX_PARTITION_DIGITS) && isNumber(offset, MAX_OFFSET_DIGITS)
                ? Optional.of(
                        new InputPosition(text.substring(0, dash), Integer.parseInt(partition), Long.parseLong(offset)))
                : Optional.empty();
    }

    private static boolean isNumber(String text, int maxDigits) {
        return !text.isEmpty() && text.length() <= maxDigits && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Returns the partition that holds the record. */
    public InputPartition inputPartition() {
        return new InputPartition(topic, partition);
    }

    @Override
    public String toString() {
        return topic + '-' + partition + '@' + offset;
    }
}
