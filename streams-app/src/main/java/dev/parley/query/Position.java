package dev.parley.query;

import java.util.Optional;

/**
 * Where a record of the input stands, written {@code topic-partition@offset}.
 *
 * @param topic an input topic
 * @param partition its partition
 * @param offset its offset there
 */
public record Position(String topic, int partition, long offset) {

    private static final int LONGEST_PARTITION = 9;
    private static final int LONGEST_OFFSET = 18;

    /** Reads what {@link #toString} writes; empty when it is none. */
    public static Optional<Position> of(String text) {
        int at = text.lastIndexOf('@');
        int dash = at < 0 ? -1 : text.lastIndexOf('-', at);
        if (dash < 1) {
            return Optional.empty();
        }
        String partition = text.substring(dash + 1, at);
        String offset = text.substring(at + 1);
        return isNumber(partition, LONGEST_PARTITION) && isNumber(offset, LONGEST_OFFSET)
                ? Optional.of(
                        new Position(text.substring(0, dash), Integer.parseInt(partition), Long.parseLong(offset)))
                : Optional.empty();
    }

    private static boolean isNumber(String text, int longest) {
        return !text.isEmpty() && text.length() <= longest && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    @Override
    public String toString() {
        return topic + '-' + partition + '@' + offset;
    }
}
